import { describe, expect, test } from "vitest";
import { checkReceipt } from "./contracts/receipt.ts";
import { checkAcknowledgement, compareReceipt, parseKept } from "./log/acknowledgement.ts";
import { fromHex, MismatchError, toHex } from "./log/bytes.ts";
import { emptyRoot, leafHash, nodeHash, rangeHash } from "./log/merkle.ts";
import { checkJournalReceipt, checkNewest } from "./records/journal.ts";
import type { JournalReceipt } from "./records/journalSchema.ts";
import { checkOwner } from "./records/owner.ts";
import { getDifference, vectors } from "./testing.ts";

/** A log tampered with afterwards, and a receipt that follows from it. */
interface FalsifiedVector {
  name: string;
  at: number;
  remove: number;
  insert: string[];
  receipt: unknown;
  step: string;
  difference: string;
}

describe("receipts", () => {
  const { entries, receipts, altered, ...rest } = vectors("receipt");
  const { void_by_samples: voids, falsified, forged_sources: forged } = rest;
  const leaf = async (index: number) => fromHex(entries[index]);
  test.each(
    (receipts as { result: { outcome: string } }[]).map(
      (receipt, index) => [index, receipt.result.outcome, receipt] as const,
    ),
  )("receipt %i (%s) agrees with the log", async (_, outcome, receipt) => {
    const { steps } = await checkReceipt(receipt, leaf);
    expect(steps.find(({ step }) => step === "outcome")?.message).toContain(outcome);
    expect(steps.find(({ step }) => step === "day")?.message).toContain(
      "86100 of the 86399 seconds",
    );
  });
  test.each(
    altered as { name: string; receipt: unknown; step: string; difference: string }[],
  )("altered: $name", async ({ receipt, difference }) => {
    expect(await getDifference(() => checkReceipt(receipt, leaf))).toBe(difference);
  });
  test.each(
    voids as (FalsifiedVector & { by_samples: string })[],
  )("a void order reports that its samples $by_samples", async ({
    at,
    remove,
    insert,
    receipt,
    by_samples: outcome,
  }) => {
    const log = (entries as string[]).toSpliced(at, remove, ...insert).map(fromHex);
    const { steps } = await checkReceipt(receipt, async (index) => log[index] as Uint8Array);
    expect(steps.find(({ step }) => step === "samples")?.message).toBe(
      `By the samples there are, your order would have ${outcome}.`,
    );
  });
  test.each([
    ...falsified,
    ...forged,
  ] as FalsifiedVector[])("falsified log: $name: $step, $difference", async ({
    at,
    remove,
    insert,
    receipt,
    step,
    difference,
  }) => {
    const log = (entries as string[]).toSpliced(at, remove, ...insert).map(fromHex);
    const check = checkReceipt(receipt, async (index) => log[index] as Uint8Array);
    await expect(check).rejects.toMatchObject({ step, difference });
  });
});

describe.each([
  ["contracts", "receipt", "entries"],
  ["pools", "hosting", "leaves"],
  ["leases", "mining", "entries"],
])("receipts of journals that moved money for orders of %s", (_, file, leaves) => {
  const { [leaves]: entries, journals } = vectors(file);
  type Moved = { name: string; keep: number; append: string[] } & {
    step: string;
    difference: string;
    receipt: { journal: { kind: string } };
  };
  const check = ({ keep, append, receipt }: Moved) => {
    const log = [...entries.slice(0, keep), ...append].map(fromHex);
    return checkJournalReceipt(receipt, async (index) => log[index] as Uint8Array, log.length);
  };
  test.each(journals.receipts as Moved[])("$receipt.journal.kind agrees", async (testCase) => {
    expect((await check(testCase)).steps.at(-1)?.step).toBe("orders");
  });
  test.each(journals.altered as Moved[])("$name: $step, $difference", async (testCase) => {
    const { step, difference } = testCase;
    await expect(check(testCase)).rejects.toMatchObject({ step, difference });
  });
});

test("an unreadable leaf cannot hide a second that delayed the binding", async () => {
  const { entries, journals } = vectors("receipt");
  const { keep, append, receipt } = journals.altered.find(
    ({ difference }: FalsifiedVector) => difference === "bound_too_late",
  );
  const log: Uint8Array[] = [...entries.slice(0, keep), ...append].map(fromHex);
  const [{ bound_leaf: boundLeaf }] = receipt.orders;
  const leaf = async (index: number) =>
    index === boundLeaf - 1 ? log[index]!.subarray(0, 20) : log[index]!;
  const check = checkJournalReceipt(receipt, leaf, log.length);
  await expect(check).rejects.toMatchObject({ step: "leaves" });
});

describe("receipts of journals", () => {
  const { entries, receipts, altered, falsified } = vectors("journal");
  const getReader = (log: string[]) => async (index: number) => {
    if (typeof log[index] !== "string") throw new MismatchError("leaves", "leaf_missing");
    return fromHex(log[index]);
  };
  const leaf = getReader(entries);
  test.each(
    (receipts as { journal: { kind: string } }[]).map(
      (receipt) => [receipt.journal.kind, receipt] as const,
    ),
  )("%s agrees with the log", async (_, receipt) => {
    const { steps } = await checkJournalReceipt(receipt, leaf, entries.length);
    expect(steps.map(({ step }) => step)).toEqual([
      "marks",
      "legs",
      "chain",
      "running",
      "committed",
      "arithmetic",
      "orders",
    ]);
  });
  test.each(
    altered as { name: string; receipt: unknown; step: string; difference: string }[],
  )("altered: $name: $difference", async ({ receipt, difference }) => {
    expect(await getDifference(() => checkJournalReceipt(receipt, leaf, entries.length))).toBe(
      difference,
    );
  });
  test("only receipts of the newest commitment pass checkNewest", async () => {
    for (const receipt of receipts as JournalReceipt[]) {
      const mismatch = await getDifference(() => checkNewest(receipt, leaf, entries.length));
      expect(mismatch).toBe(receipt.liabilities_leaf === 2 ? null : "commitment_not_newest");
    }
  });
  test.each([
    0, 2, 5,
  ])("checkNewest refuses a later leaf altered at byte %i of its head", async (position) => {
    const receipt = (receipts as JournalReceipt[]).find(
      (receipt) => receipt.liabilities_leaf === 2,
    )!;
    const alteredLeaf = Buffer.from(await leaf(2));
    alteredLeaf[position]! ^= 1;
    const readLeaf = async (index: number) =>
      index === entries.length ? alteredLeaf : leaf(index);
    const mismatch = await getDifference(() => checkNewest(receipt, readLeaf, entries.length + 1));
    expect(mismatch).toBe("leaf_unreadable");
  });
  test.each(
    vectors("journal").owners as { owner: string; address: string; salt: string }[],
  )("$owner's accounts are tied to their own wallet only", (owner) => {
    const journalReceipts = (receipts as JournalReceipt[]).filter(({ accounts }) =>
      accounts.every((account) => account.owner === owner.owner),
    );
    expect(journalReceipts.length).toBeGreaterThan(0);
    for (const receipt of journalReceipts) {
      checkOwner(receipt, { ...owner, address: owner.address.toUpperCase().replace("X", "x") });
      const otherOwners = [
        { ...owner, address: owner.address.replace("0x", "0x3").slice(0, 42) },
        { ...owner, salt: "00".repeat(32) },
      ];
      for (const otherOwner of otherOwners)
        expect(() => checkOwner(receipt, otherOwner)).toThrow("owner_differs");
    }
  });
  test.each(falsified as FalsifiedVector[])("falsified log: $name: $step, $difference", async ({
    at,
    remove,
    insert,
    receipt,
    step,
    difference,
  }) => {
    const log = (entries as string[]).toSpliced(at, remove, ...insert);
    const check = checkJournalReceipt(receipt, getReader(log), log.length);
    await expect(check).rejects.toMatchObject({ step, difference });
  });
});

describe("acknowledgements", () => {
  const { origin, vkey, entries, hashes, kept, falsified, receipts } = vectors("acknowledgement");
  interface Log {
    at: number;
    remove: number;
    insert: string[];
    hashes?: Record<string, string[]>;
  }
  const createLog = ({ at, remove, insert, hashes: mismatch }: Log) => {
    const changedEntries = (entries as string[]).toSpliced(at, remove, ...insert).map(fromHex);
    const rootAt = (size: number) =>
      rangeHash(0, size, async function node(level, index): Promise<Uint8Array> {
        return level === 0
          ? leafHash(changedEntries[index] as Uint8Array)
          : nodeHash(await node(level - 1, 2 * index), await node(level - 1, 2 * index + 1));
      });
    return {
      origin,
      size: changedEntries.length,
      vkeys: [vkey],
      leaf: async (index: number) => changedEntries[index] as Uint8Array,
      continues: async (older: { size: number; root: Uint8Array }) => {
        const root = older.size === 0 ? emptyRoot : await rootAt(older.size);
        if (toHex(root) !== toHex(older.root)) throw new MismatchError("memory", "log_changed");
      },
      hashes: async (leaf: number) =>
        Buffer.concat(({ ...hashes, ...mismatch }[leaf] as string[]).map(fromHex)),
    };
  };
  const wholeLog = { at: 0, remove: 0, insert: [] };
  test.each(kept as { name: string; kept: unknown; bound_leaf: number | null }[])("$name", async ({
    kept: value,
    bound_leaf: leaf,
  }) => {
    const { boundLeaf } = await checkAcknowledgement(value, createLog(wholeLog));
    expect(boundLeaf).toBe(leaf);
  });
  test.each(
    falsified as { name: string; kept: unknown; log?: Log; step: string; difference: string }[],
  )("falsified: $name: $step, $difference", async ({ kept: value, log, step, difference }) => {
    const check = checkAcknowledgement(value, createLog(log ?? wholeLog));
    await expect(check).rejects.toMatchObject({ step, difference });
  });
  test.each(
    receipts as { name: string; kept?: unknown; receipt: unknown; difference: string | null }[],
  )("a receipt, $name: $difference", async ({ kept: keptFile, receipt, difference }) => {
    const { acknowledgement } = parseKept(keptFile ?? kept[0].kept);
    expect(await getDifference(() => compareReceipt(acknowledgement, receipt))).toBe(difference);
  });
});
