import { describe, expect, test } from "vitest";
import { computeIndex, filterListedQuotes } from "./indexRule.ts";
import { fromHex, toHex } from "./log/bytes.ts";
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
import { escapeControls } from "./report.ts";
import { getDifference, vectors } from "./testing.ts";

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
  const acceptance = (cases as { key: string; signature: string }[]).map(({ key, signature }) =>
    verifyEd25519(fromHex(message), fromHex(signature), fromHex(key)),
  );
  expect(acceptance).toEqual((cases as { ok: boolean }[]).map(({ ok }) => ok));
  expect(acceptance.filter(Boolean)).toHaveLength(1);
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
    expect(hashes.map(toHex)).toEqual(leaf_hashes);
    expect(toHex(emptyRoot)).toBe(empty_root);
    for (let size = 1; size <= hashes.length; size++) {
      expect(toHex(await rangeHash(0, size, node))).toBe(toHex(root(size)));
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
  expect([checkpoint.size, toHex(checkpoint.root)]).toEqual([size, root]);
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
    const findAll = () => findCosignatures(parseCheckpoint(note), witnesses.map(parseWitnessKey));
    if (name.includes("log's own")) {
      expect(findAll).toThrow("key_malformed");
      return;
    }
    expect(findAll().map(({ seconds }) => seconds)).toEqual(signed_at);
    expect(findAll().filter((cosignature) => isRecent(cosignature, now))).toHaveLength(count);
  });
});

test("untrusted text is shown with control characters escaped", () => {
  const text = "\u001b[2J\u009b31m\u202eagrees\u0007 caf\u00e9\n";
  expect(escapeControls(text)).toBe("\\u001b[2J\\u009b31m\\u202eagrees\\u0007 café\\u000a");
});

describe("leaves", () => {
  const { world, world_tag, second, day, refused, index } = vectors("leaf");
  const tag = worldTag(world);
  test("the world tag matches", () => expect(toHex(tag)).toBe(world_tag));
  test.each(
    second as {
      name: string;
      value: { second_ms: number; index: (string | null)[]; orders_root: string };
      bytes: string;
    }[],
  )("second: $name", ({ value, bytes }) => {
    const second = decodeSecond(fromHex(bytes), tag);
    expect(second.secondMs).toBe(value.second_ms);
    expect(second.columns.map(({ index }) => index?.toString() ?? null)).toEqual(value.index);
    expect(toHex(second.ordersRoot)).toBe(value.orders_root);
  });
  test.each(
    index as {
      name: string;
      venues: string[];
      symbols: { venues: string[] }[];
      bytes: string;
      index: string | null;
    }[],
  )("index: $name", ({ bytes, index: expected, ...listing }) => {
    const [column] = decodeSecond(fromHex(bytes), tag).columns;
    const computed = computeIndex(filterListedQuotes(listing, column?.quotes ?? [], 0));
    expect([computed?.toString() ?? null, column?.index?.toString() ?? null]).toEqual([
      expected,
      expected,
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
    const expected = value.missing as [number, number][];
    expect([...missing]).toEqual(
      expected.flatMap(([from, count]) =>
        Array.from({ length: count }, (_, index) => from + index),
      ),
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
      return Buffer.concat(
        log.flatMap((entry) => [Buffer.of(entry.length >> 8, entry.length), entry]),
      );
    };
    const reader = new LogReader(parseCheckpoint(checkpoint), file);
    return findSuccession(reader, { ...known, root: fromHex(known.root) }, listed);
  };
  test.each(cases as Case[])("$name", async (testCase) => {
    const { lost, survived, lost_from_ms: lostFromMs } = testCase.found;
    expect(await find(testCase)).toMatchObject({ lost, survived, lostFromMs });
  });
  test.each(falsified as Case[])("$name: $difference", async (testCase) => {
    expect(await getDifference(() => find(testCase))).toBe(testCase.difference);
  });
});
