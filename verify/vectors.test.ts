import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkReceipt } from "./contracts/receipt.ts";
import { computeIndex, listedQuotes } from "./indexRule.ts";
import { checkAcknowledgement, compareReceipt, parseKept } from "./log/acknowledgement.ts";
import { fromHex, hex, MismatchError } from "./log/bytes.ts";
import { canonicalText, parseCanonical } from "./log/canonical.ts";
import { decodeDay } from "./log/day.ts";
import { verifyEd25519 } from "./log/ed25519.ts";
import {
  decodeBuild,
  decodeSecond,
  decodeSleep,
  decodeTerms,
  decodeWorld,
  worldTag,
} from "./log/leaves.ts";
import { decodeLiabilities } from "./log/liabilities.ts";
import { LogReader, tilePath } from "./log/logReader.ts";
import {
  emptyRoot,
  leafHash,
  nodeHash,
  provesConsistency,
  provesInclusion,
  rangeHash,
} from "./log/merkle.ts";
import {
  findCosignatures,
  isRecent,
  isSignedBy,
  parseCheckpoint,
  parseVerifierKey,
  parseWitnessKey,
} from "./log/note.ts";
import { decodeSeed } from "./log/seed.ts";
import { decodeSuccession, findSuccession } from "./log/succession.ts";
import { decodeAudit } from "./operator/auditLeaf.ts";
import { checkJournalReceipt, checkNewest } from "./records/journal.ts";
import type { JournalReceipt } from "./records/journalSchema.ts";
import { checkOwner } from "./records/owner.ts";
import { printable } from "./report.ts";

/** The vectors of docs/formats are all this implementation shares with the other one. */
// biome-ignore lint/suspicious/noExplicitAny: each file has its own shape
const vectors = (name: string): any =>
  JSON.parse(
    readFileSync(join(import.meta.dirname, `../docs/formats/vectors/${name}.json`), "utf8"),
  );

async function getDifference(run: () => unknown): Promise<string | null> {
  try {
    await run();
    return null;
  } catch (error) {
    if (error instanceof MismatchError) return error.difference;
    throw error;
  }
}

describe("canonical JSON", () => {
  const { canonical, refused } = vectors("canonical");
  test.each(canonical as { value: unknown; text: string }[])("$text is written", ({
    value,
    text,
  }) => {
    expect(canonicalText(value)).toBe(text);
    expect(parseCanonical(Buffer.from(text))).toEqual(value);
  });
  test.each(refused as string[])("%s is refused", (text) => {
    expect(() => parseCanonical(Buffer.from(text))).toThrow();
  });
});

test("Ed25519 accepts only canonical signatures of prime-order points", () => {
  const { message, cases } = vectors("ed25519");
  const accepted = (cases as { key: string; signature: string }[]).map(({ key, signature }) =>
    verifyEd25519(fromHex(message), fromHex(signature), fromHex(key)),
  );
  expect(accepted).toEqual((cases as { ok: boolean }[]).map(({ ok }) => ok));
  expect(accepted.filter(Boolean)).toHaveLength(1);
});

describe("the tree of RFC 9162", () => {
  const { entries, leaf_hashes, empty_root, roots, inclusion, consistency } = vectors("merkle");
  const hashes = (entries as string[]).map((entry) => leafHash(fromHex(entry)));
  const node = async (level: number, index: number): Promise<Uint8Array> =>
    level === 0
      ? (hashes[index] as Uint8Array)
      : nodeHash(await node(level - 1, 2 * index), await node(level - 1, 2 * index + 1));
  const root = (size: number) => fromHex(roots[size - 1].root ?? roots[size - 1]);

  test("leaf hashes and roots match", async () => {
    expect(hashes.map(hex)).toEqual(leaf_hashes);
    expect(hex(emptyRoot)).toBe(empty_root);
    for (let size = 1; size <= hashes.length; size++) {
      expect(hex(await rangeHash(0, size, node))).toBe(hex(root(size)));
    }
  });
  test.each(
    inclusion as { leaf: number; size: number; path: string[] }[],
  )("leaf $leaf of $size has a valid inclusion proof", ({ leaf, size, path }) => {
    const proof = path.map(fromHex);
    expect(provesInclusion(leaf, size, hashes[leaf] as Uint8Array, proof, root(size))).toBe(true);
    expect(provesInclusion(leaf, size, leafHash(Buffer.of(7)), proof, root(size))).toBe(false);
    if (proof.length > 0)
      expect(
        provesInclusion(leaf, size, hashes[leaf] as Uint8Array, proof.slice(1), root(size)),
      ).toBe(false);
  });
  test.each(
    consistency as { from: number; to: number; path: string[] }[],
  )("$from to $to has a valid consistency proof", ({ from, to, path }) => {
    const proof = path.map(fromHex);
    const before = from === 0 ? emptyRoot : root(from);
    expect(provesConsistency(from, to, before, root(to), proof)).toBe(true);
    if (from > 0)
      expect(provesConsistency(from, to, leafHash(Buffer.of(7)), root(to), proof)).toBe(false);
  });
});

test("tile paths and widths match", () => {
  const { paths, widths } = vectors("tile");
  for (const { level, index, width, path } of paths) {
    const size = (index * 256 + width) * (level === "entries" ? 1 : 256 ** level);
    expect(tilePath(level, index, size)).toEqual({ path, width });
  }
  for (const { size, level, index, width } of widths) {
    expect(tilePath(level, index, size)?.width).toBe(width);
  }
});

test("a checkpoint is accepted only from its signer", () => {
  const { vkey, note, size, root } = vectors("checkpoint");
  const checkpoint = parseCheckpoint(note);
  expect([checkpoint.size, hex(checkpoint.root)]).toEqual([size, root]);
  const key = parseVerifierKey(vkey);
  expect(isSignedBy(checkpoint, key)).toBe(true);
  expect(isSignedBy(parseCheckpoint((note as string).replace("\n1\n", "\n2\n")), key)).toBe(false);
});

describe("cosignatures of witnesses", () => {
  const { note, cases } = vectors("checkpoint").cosigned;
  interface Case {
    name: string;
    witnesses: string[];
    now: number;
    signed_at: number[];
    count: number;
  }
  test.each(cases as Case[])("$name: $count", ({ name, witnesses, now, signed_at, count }) => {
    const found = () => findCosignatures(parseCheckpoint(note), witnesses.map(parseWitnessKey));
    if (name.includes("log's own")) {
      expect(found).toThrow("key_malformed");
      return;
    }
    expect(found().map(({ seconds }) => seconds)).toEqual(signed_at);
    expect(found().filter((one) => isRecent(one, now))).toHaveLength(count);
  });
});

test("untrusted text is shown with control characters escaped", () => {
  const text = "\u001b[2J\u009b31m\u202eagrees\u0007 caf\u00e9\n";
  expect(printable(text)).toBe("\\u001b[2J\\u009b31m\\u202eagrees\\u0007 café\\u000a");
});

describe("leaves", () => {
  const { world, world_tag, second, day, refused, index } = vectors("leaf");
  const tag = worldTag(world);
  test("the world tag matches", () => expect(hex(tag)).toBe(world_tag));
  test.each(
    second as {
      name: string;
      value: { second_ms: number; index: (string | null)[]; orders_root: string };
      bytes: string;
    }[],
  )("second: $name", ({ value, bytes }) => {
    const read = decodeSecond(fromHex(bytes), tag);
    expect(read.secondMs).toBe(value.second_ms);
    expect(read.columns.map(({ index }) => index?.toString() ?? null)).toEqual(value.index);
    expect(hex(read.ordersRoot)).toBe(value.orders_root);
  });
  test.each(
    index as {
      name: string;
      venues: string[];
      symbols: { venues: string[] }[];
      bytes: string;
      index: string | null;
    }[],
  )("index: $name", ({ bytes, index: stated, ...listing }) => {
    const [column] = decodeSecond(fromHex(bytes), tag).columns;
    const found = computeIndex(listedQuotes(listing, column?.quotes ?? [], 0));
    expect([found?.toString() ?? null, column?.index?.toString() ?? null]).toEqual([
      stated,
      stated,
    ]);
  });
  test.each(
    day as { name: string; value: Record<string, unknown>; bytes: string }[],
  )("day: $name", ({ value, bytes }) => {
    const { missing, ...read } = decodeDay(fromHex(bytes), tag);
    expect(read).toMatchObject({
      day: value.day,
      noEntry: value.no_entry,
      fewSamples: value.few_samples,
      before: value.before,
    });
    expect([read.first, read.due]).toEqual(value.due);
    const stated = value.missing as [number, number][];
    expect([...missing]).toEqual(
      stated.flatMap(([from, count]) => Array.from({ length: count }, (_, at) => from + at)),
    );
  });
  const readers = {
    day: decodeDay,
    world: decodeWorld,
    second: decodeSecond,
    terms: decodeTerms,
    seed: decodeSeed,
    liabilities: decodeLiabilities,
    build: decodeBuild,
    succession: decodeSuccession,
    sleep: decodeSleep,
    audit: decodeAudit,
  };
  test.each(
    refused as { name: string; kind: keyof typeof readers; bytes: string; error: string }[],
  )("$name is refused", async ({ kind, bytes, error }) => {
    expect(await getDifference(() => readers[kind](fromHex(bytes), tag))).toBe(error);
  });
});

describe("successions", () => {
  interface Case {
    name: string;
    known: { origin: string; vkeys: string[]; size: number; root: string };
    listed: number[];
    entries: string[];
    checkpoint: string;
    found: { lost: number; survived: number; lost_from_ms: number };
    difference: string;
  }
  const { cases, falsified } = vectors("succession");
  const find = ({ known, listed, entries, checkpoint }: Case) => {
    const log = entries.map(fromHex);
    const file = async (path: string) => {
      if (path.startsWith("tile/0/")) return Buffer.concat(log.map(leafHash));
      return Buffer.concat(log.flatMap((one) => [Buffer.of(one.length >> 8, one.length), one]));
    };
    const reader = new LogReader(parseCheckpoint(checkpoint), file);
    return findSuccession(reader, { ...known, root: fromHex(known.root) }, listed);
  };
  test.each(cases as Case[])("$name", async (one) => {
    const { lost, survived, lost_from_ms: lostFromMs } = one.found;
    expect(await find(one)).toMatchObject({ lost, survived, lostFromMs });
  });
  test.each(falsified as Case[])("$name: $difference", async (one) => {
    expect(await getDifference(() => find(one))).toBe(one.difference);
  });
});

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
      (receipt, at) => [at, receipt.result.outcome, receipt] as const,
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
  test.each(journals.receipts as Moved[])("$receipt.journal.kind agrees", async (one) => {
    expect((await check(one)).steps.at(-1)?.step).toBe("orders");
  });
  test.each(journals.altered as Moved[])("$name: $step, $difference", async (one) => {
    const { step, difference } = one;
    await expect(check(one)).rejects.toMatchObject({ step, difference });
  });
});

test("an unreadable leaf cannot hide a second that delayed the binding", async () => {
  const { entries, journals } = vectors("receipt");
  const { keep, append, receipt } = journals.altered.find(
    ({ difference }: FalsifiedVector) => difference === "bound_too_late",
  );
  const log: Uint8Array[] = [...entries.slice(0, keep), ...append].map(fromHex);
  const [{ bound_leaf: bound }] = receipt.orders;
  const leaf = async (index: number) =>
    index === bound - 1 ? log[index]!.subarray(0, 20) : log[index]!;
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
      const found = await getDifference(() => checkNewest(receipt, leaf, entries.length));
      expect(found).toBe(receipt.liabilities_leaf === 2 ? null : "commitment_not_newest");
    }
  });
  test.each([
    0, 2, 5,
  ])("checkNewest refuses a later leaf altered at byte %i of its head", async (at) => {
    const receipt = (receipts as JournalReceipt[]).find((one) => one.liabilities_leaf === 2)!;
    const later = Buffer.from(await leaf(2));
    later[at]! ^= 1;
    const read = async (index: number) => (index === entries.length ? later : leaf(index));
    const found = await getDifference(() => checkNewest(receipt, read, entries.length + 1));
    expect(found).toBe("leaf_unreadable");
  });
  test.each(
    vectors("journal").owners as { owner: string; address: string; salt: string }[],
  )("$owner's accounts are tied to their own wallet only", (owner) => {
    const own = (receipts as JournalReceipt[]).filter(({ accounts }) =>
      accounts.every((account) => account.owner === owner.owner),
    );
    expect(own.length).toBeGreaterThan(0);
    for (const receipt of own) {
      checkOwner(receipt, { ...owner, address: owner.address.toUpperCase().replace("X", "x") });
      const others = [
        { ...owner, address: owner.address.replace("0x", "0x3").slice(0, 42) },
        { ...owner, salt: "00".repeat(32) },
      ];
      for (const other of others) expect(() => checkOwner(receipt, other)).toThrow("owner_differs");
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
  const createLog = ({ at, remove, insert, hashes: served }: Log) => {
    const all = (entries as string[]).toSpliced(at, remove, ...insert).map(fromHex);
    const rootAt = (size: number) =>
      rangeHash(0, size, async function node(level, index): Promise<Uint8Array> {
        return level === 0
          ? leafHash(all[index] as Uint8Array)
          : nodeHash(await node(level - 1, 2 * index), await node(level - 1, 2 * index + 1));
      });
    return {
      origin,
      size: all.length,
      vkeys: [vkey],
      leaf: async (index: number) => all[index] as Uint8Array,
      continues: async (older: { size: number; root: Uint8Array }) => {
        const root = older.size === 0 ? emptyRoot : await rootAt(older.size);
        if (hex(root) !== hex(older.root)) throw new MismatchError("memory", "log_changed");
      },
      hashes: async (leaf: number) =>
        Buffer.concat(({ ...hashes, ...served }[leaf] as string[]).map(fromHex)),
    };
  };
  const whole = { at: 0, remove: 0, insert: [] };
  test.each(kept as { name: string; kept: unknown; bound_leaf: number | null }[])("$name", async ({
    kept: value,
    bound_leaf: leaf,
  }) => {
    const { boundLeaf } = await checkAcknowledgement(value, createLog(whole));
    expect(boundLeaf).toBe(leaf);
  });
  test.each(
    falsified as { name: string; kept: unknown; log?: Log; step: string; difference: string }[],
  )("falsified: $name: $step, $difference", async ({ kept: value, log, step, difference }) => {
    const check = checkAcknowledgement(value, createLog(log ?? whole));
    await expect(check).rejects.toMatchObject({ step, difference });
  });
  test.each(
    receipts as { name: string; kept?: unknown; receipt: unknown; difference: string | null }[],
  )("a receipt, $name: $difference", async ({ kept: own, receipt, difference }) => {
    const { acknowledgement } = parseKept(own ?? kept[0].kept);
    expect(await getDifference(() => compareReceipt(acknowledgement, receipt))).toBe(difference);
  });
});
