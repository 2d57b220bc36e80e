import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { JournalOwner } from "#core/records/journalRequirements.ts";
import { hexToBytes } from "#core/transparency-log/bytes.ts";
import { canonicalBytes } from "#core/transparency-log/canonical.ts";
import { leafHead } from "#core/transparency-log/leaf.ts";
import { decodeWorld } from "#core/transparency-log/worldLeaf.ts";
import { findReceiptKind } from "#web/features/receipt/kinds/kinds.ts";

const vectors = (name: string) =>
  JSON.parse(
    readFileSync(new URL(`../../../../docs/formats/vectors/${name}.json`, import.meta.url), "utf8"),
  );

/**
 * Checks with exactly the leaves the kind asks for; returns the failing step and its problem, or
 * null.
 */
function getFault(
  receipt: unknown,
  entries: readonly Uint8Array[],
  owner: JournalOwner | null = null,
): string[] | null {
  const kind = findReceiptKind(receipt, owner)!;
  const neededLeaves = kind.listLeaves(receipt);
  if (neededLeaves === null || kind.getLog(receipt) === null) return ["form", "receipt_malformed"];
  const world = decodeWorld(entries[0]!);
  if (!world.ok) throw new Error("no world");
  const leaves = new Map(neededLeaves.map((leaf) => [leaf, entries[leaf]!]));
  for (let knownCount = 0; knownCount < leaves.size; ) {
    knownCount = leaves.size;
    for (const leaf of kind.listDependentLeaves?.(receipt, world.value, leaves, entries.length) ??
      [])
      leaves.set(leaf, entries[leaf]!);
  }
  const { ok, steps } = kind.check(receipt, world.value, leaves, entries.length, () => true, null);
  const failed = steps.find((step) => !step.ok);
  expect(ok).toBe(failed === undefined);
  return failed ? [failed.step, failed.mismatch!] : null;
}

/** A log that was falsified afterwards, and a receipt consistent with it. */
interface FalsifiedVector {
  name: string;
  at: number;
  remove: number;
  insert: string[];
  receipt: { format: string };
  step: string;
  difference: string;
}

const createLog = (leaves: readonly Uint8Array[], { at, remove, insert }: FalsifiedVector) =>
  leaves.toSpliced(at, remove, ...insert.map(hexToBytes));

describe("lease receipts", () => {
  const { entries, receipts, altered, falsified } = vectors("mining");
  const leaves = entries.map(hexToBytes);
  test.each<[number, object]>(
    receipts.map((receipt: object, position: number) => [position, receipt]),
  )("lease receipt %i agrees", (_at, receipt) => {
    expect(getFault(receipt, leaves)).toBeNull();
  });
  test.each(
    altered.map((item: { name: string }) => [item.name, item]) as [
      string,
      { receipt: unknown; difference: string },
    ][],
  )("altered: %s", (_name, { receipt, difference }) => {
    expect(getFault(receipt, leaves)?.[1]).toBe(difference);
  });
  test.each(
    falsified as FalsifiedVector[],
  )("falsified log: $name: $difference", (falsifiedVector) => {
    expect(getFault(falsifiedVector.receipt, createLog(leaves, falsifiedVector))?.[1]).toBe(
      falsifiedVector.difference,
    );
  });
});

describe("receipts of journals", () => {
  const { entries, receipts, altered, falsified } = vectors("journal");
  const leaves: Uint8Array[] = entries.map(hexToBytes);
  test.each<[string, object]>(
    receipts.map((receipt: { journal: { kind: string } }) => [receipt.journal.kind, receipt]),
  )("%s agrees", (_kind, receipt) => {
    expect(getFault(receipt, leaves)).toBeNull();
  });
  test.each(altered as FalsifiedVector[])("altered: $name: $difference", ({
    receipt,
    difference,
  }) => {
    expect(getFault(receipt, leaves)?.[1]).toBe(difference);
  });
  test.each(
    falsified as FalsifiedVector[],
  )("falsified log: $name: $difference", (falsifiedVector) => {
    expect(getFault(falsifiedVector.receipt, createLog(leaves, falsifiedVector))).toEqual([
      falsifiedVector.step,
      falsifiedVector.difference,
    ]);
  });
});

describe("receipts of the reader's own journals", () => {
  const { entries, receipts, owners } = vectors("journal");
  const leaves: Uint8Array[] = entries.map(hexToBytes);
  interface Own {
    liabilities_leaf: number;
    journal: { kind: string };
    accounts: { owner: string }[];
  }
  const ownedBy = (owner: string) =>
    (receipts as Own[]).filter(({ accounts }) =>
      accounts.every((account) => account.owner === owner),
    );

  test.each(
    owners as (JournalOwner & { owner: string })[],
  )("a receipt requires the newest commitment and the wallet of $owner", (owner) => {
    const owns = ownedBy(owner.owner);
    expect(owns.some(({ liabilities_leaf: leaf }) => leaf === 2)).toBe(true);
    for (const receipt of owns) {
      const isNewest = receipt.liabilities_leaf === 2;
      const staleFault = isNewest ? null : ["newest", "commitment_not_newest"];
      expect(getFault(receipt, leaves, owner)).toEqual(staleFault);
      if (!isNewest) continue;
      const others = [
        { ...owner, address: owner.address.replace("0x", "0x3").slice(0, 42) },
        { ...owner, salt: "00".repeat(32) },
      ];
      for (const otherOwner of others)
        expect(getFault(receipt, leaves, otherOwner)).toEqual(["owner", "owner_differs"]);
    }
  });
  test("a receipt under an older commitment is refused at any distance", () => {
    const [owner] = owners;
    const receipt = ownedBy(owner.owner).find(({ liabilities_leaf: leaf }) => leaf === 2)!;
    const laterLeaves = Array.from({ length: 3_000 }, () => leaves[3]!);
    expect(getFault(receipt, [...leaves, ...laterLeaves], owner)).toBeNull();
    expect(getFault(receipt, [...leaves, ...laterLeaves, leaves[2]!], owner)).toEqual([
      "newest",
      "commitment_not_newest",
    ]);
  });
  test.each([0, 2, 5])("a later leaf whose head is altered at byte %i is refused", (position) => {
    const [owner] = owners;
    const receipt = ownedBy(owner.owner).find(({ liabilities_leaf: leaf }) => leaf === 2)!;
    const laterLeaf = leaves[2]!.slice();
    laterLeaf[position]! ^= 1;
    expect(getFault(receipt, [...leaves, laterLeaf], owner)).toEqual(["newest", "leaf_unreadable"]);
  });
});

describe.each([
  ["contracts", "receipt", "entries"],
  ["pools", "hosting", "leaves"],
  ["leases", "mining", "entries"],
])("receipts of journals that moved money for orders of %s", (_of, file, leaves) => {
  const { [leaves]: entries, journals } = vectors(file);
  type Moved = FalsifiedVector & { keep: number; append: string[] };
  const check = ({ keep, append, receipt }: Moved) =>
    getFault(receipt, [...entries.slice(0, keep), ...append].map(hexToBytes));
  test.each(journals.receipts as Moved[])("$receipt.journal.kind agrees", (item) => {
    expect(check(item)).toBeNull();
  });
  test.each(journals.altered as Moved[])("$name: $step, $difference", (item) => {
    expect(check(item)).toEqual([item.step, item.difference]);
  });
});

test("an unreadable leaf does not hide a second that delayed the binding", () => {
  const { entries, journals } = vectors("receipt");
  const { keep, append, receipt } = journals.altered.find(
    ({ difference }: FalsifiedVector) => difference === "bound_too_late",
  );
  const log: Uint8Array[] = [...entries.slice(0, keep), ...append].map(hexToBytes);
  const [{ bound_leaf: boundLeaf }] = receipt.orders;
  log[boundLeaf - 1] = log[boundLeaf - 1]!.slice(0, 20);
  expect(getFault(receipt, log)).toEqual(["orders", "leaf_unreadable"]);
});

test.each([
  ["without the practice label", 2],
  ["of another world", 5],
])("a leaf %s is refused even where its kind is skipped", (_what, leaf) => {
  const { entries, receipts } = vectors("receipt");
  const log: Uint8Array[] = entries.map(hexToBytes);
  const [receipt] = receipts;
  expect(getFault(receipt, log)).toBeNull();
  // Between binding and entry, of a kind that the check skips.
  const foreignLeaf = leafHead("books", log[0]!.subarray(3, 11));
  foreignLeaf[leaf]! ^= 1;
  log[receipt.entry_leaf] = foreignLeaf;
  expect(getFault(receipt, log)?.[1]).toBe("leaf_unreadable");
});

describe("pool receipts", () => {
  const { leaves: hex, receipts, altered, falsified } = vectors("hosting");
  const leaves: Uint8Array[] = hex.map(hexToBytes);
  test("every order, trade and mark agrees", () => {
    for (const receipt of [...receipts.orders, ...receipts.trades, ...receipts.marks])
      expect(getFault(receipt, leaves)).toBeNull();
  });
  test.each(
    vectors("hosting").others as { name: string; leaves: string[]; receipts: typeof receipts }[],
  )("every trade and mark of $name agrees", (pool) => {
    const log = pool.leaves.map(hexToBytes);
    for (const receipt of [...pool.receipts.trades, ...pool.receipts.marks])
      expect(getFault(receipt, log)).toBeNull();
  });
  test.each([
    ["a second", (bound: number) => bound + 2],
    ["a mark", (bound: number) => bound + 1],
  ])("%s that is unreadable between an order and its mark is not skipped", (_of, getLeaf) => {
    const [order] = receipts.orders;
    const leaf = getLeaf(order.bound_leaf);
    const log = leaves.with(leaf, leaves[leaf]!.slice(0, 20));
    expect(getFault(order, log)).toEqual(["executed", "leaf_unreadable"]);
  });
  const marks = altered.filter(({ receipt }: { receipt: { format: string } }) =>
    receipt.format.includes(".mark/"),
  ) as { name: string; receipt: object; difference: string }[];
  test.each(marks)("altered mark: $name: $difference", ({ receipt, difference }) => {
    // The page shows the parts of a mark as one step.
    const step = difference === "receipt_malformed" ? "form" : "nav";
    expect(getFault(receipt, leaves)).toEqual([step, difference]);
  });
  const checked = altered.filter(
    ({ receipt }: { receipt: { format: string } }) => !receipt.format.includes(".mark/"),
  );
  test.each(
    checked.map((item: { name: string }) => [item.name, item]) as [
      string,
      { receipt: { format: string }; step: string; difference: string },
    ][],
  )("altered: %s", (_name, { receipt, step, difference }) => {
    const expectedStep =
      receipt.format.includes(".trade/") && step === "terms" ? "product_terms" : step;
    expect(getFault(receipt, leaves)).toEqual([expectedStep, difference]);
  });

  test.each(
    falsified as FalsifiedVector[],
  )("falsified log: $name: $difference", (falsifiedVector) => {
    // The page shows the parts of a mark as one step.
    const step = falsifiedVector.step === "mark" ? "nav" : falsifiedVector.step;
    expect(getFault(falsifiedVector.receipt, createLog(leaves, falsifiedVector))).toEqual([
      step,
      falsifiedVector.difference,
    ]);
  });

  const trade = receipts.trades.at(-1) as { decision_leaf: number; fill_leaves: number[] };
  // biome-ignore lint/suspicious/noExplicitAny: leaves as the log has them
  type Change = (fields: any) => void;
  test.each<[string, number, Change, string[]]>([
    [
      "an invented gap",
      trade.decision_leaf,
      ({ decision }) => {
        decision.orders[0].base_worth += "0";
      },
      ["decision", "decision_differs"],
    ],
    [
      "another second's leaf",
      trade.decision_leaf,
      (books) => {
        books.second_leaf -= 1;
      },
      ["decision", "book_differs"],
    ],
    [
      "a deeper book",
      trade.fill_leaves[0]!,
      ({ fills }) => {
        fills[0].book.asks = [];
        fills[0].book.bids = [];
      },
      ["fills", "book_differs"],
    ],
    [
      "a larger gross pnl",
      trade.fill_leaves[0]!,
      ({ fills }) => {
        fills[0].gross += "0";
      },
      ["fills", "takings_differ"],
    ],
    [
      "a leaf of an unknown format",
      trade.decision_leaf,
      ({ decision }) => {
        decision.orders[0].book = null;
      },
      ["decision", "leaf_unreadable"],
    ],
  ])("a falsified log is refused: %s", (_what, index, change, fault) => {
    const fields = JSON.parse(new TextDecoder().decode(leaves[index]!.subarray(11)));
    change(fields);
    const head = leaves[index]!.subarray(0, 11);
    const bytes = new Uint8Array([...head, ...canonicalBytes(fields)]);
    expect(getFault(trade, leaves.with(index, bytes))).toEqual(fault);
  });
});

describe("a lone surrogate in any text makes a receipt malformed", () => {
  const [contract, hosting, mining] = ["receipt", "hosting", "mining"].map(vectors);
  const [journal, audit] = ["journal", "audit"].map(vectors);
  const ownCases: [string, unknown, string[]][] = [
    ["a contract", contract.receipts[0], contract.entries],
    ["a contract's journal", contract.journals.receipts[0].receipt, contract.entries],
    ["a journal", journal.receipts[0], journal.entries],
    ["a pool order", hosting.receipts.orders[0], hosting.leaves],
    ["a trade", hosting.receipts.trades[0], hosting.leaves],
    ["a mark", hosting.receipts.marks[0], hosting.leaves],
    ["a lease", mining.receipts[0], mining.entries],
    ...(audit.receipts as { name: string; receipt: unknown }[]).map(
      ({ name, receipt }): [string, unknown, string[]] => [name, receipt, audit.entries],
    ),
  ];
  test.each(ownCases)("%s", (_name, receipt, entries) => {
    const log = entries.map(hexToBytes);
    const faults = pathsOfTexts(receipt)
      .filter((path) => path.join() !== "format")
      .map((path) => {
        const copy = structuredClone(receipt) as Record<string, unknown>;
        const owner = path.slice(0, -1).reduce((node, name) => node[name] as typeof node, copy);
        owner[path.at(-1)!] = `${String(owner[path.at(-1)!])}\ud800`;
        return `${path.join(".")} ${getFault(copy, log)?.[1]}`;
      });
    expect(faults.length).toBeGreaterThan(5);
    expect(faults.filter((fault) => !fault.endsWith(" receipt_malformed"))).toEqual([]);
  });
});

function pathsOfTexts(value: unknown): string[][] {
  if (typeof value === "string") return [[]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    pathsOfTexts(inner).map((path) => [name, ...path]),
  );
}
