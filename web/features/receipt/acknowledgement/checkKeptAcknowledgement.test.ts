import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  type KeptAcknowledgement,
  parseAcknowledgement,
} from "#core/transparency-log/acknowledgement.ts";
import { concatBytes, equalBytes, hexToBytes } from "#core/transparency-log/bytes.ts";
import { leafHash, treeRoot } from "#core/transparency-log/merkle.ts";
import { verifyEd25519 } from "#web/features/receipt/ed25519.ts";
import {
  checkKeptAcknowledgement,
  compareReceipt,
  getReceiptId,
} from "./checkKeptAcknowledgement.ts";

interface Log {
  at: number;
  remove: number;
  insert: string[];
  hashes?: Record<string, string[]>;
}
interface Vectors {
  origin: string;
  vkey: string;
  entries: string[];
  hashes: Record<string, string[]>;
  kept: { name: string; kept: KeptAcknowledgement; bound_leaf: number | null }[];
  falsified: { name: string; kept: unknown; log?: Log; step: string; difference: string }[];
  receipts: {
    name: string;
    kept?: KeptAcknowledgement;
    receipt: unknown;
    difference: string | null;
  }[];
}
const vectors = JSON.parse(
  readFileSync(
    new URL("../../../../docs/formats/vectors/acknowledgement.json", import.meta.url),
    "utf8",
  ),
) as Vectors;

function createLog({ at, remove, insert, hashes }: Log = { at: 0, remove: 0, insert: [] }) {
  const entries = vectors.entries.toSpliced(at, remove, ...insert).map(hexToBytes);
  const leaves = entries.map(leafHash);
  const rootAt = (size: number) => treeRoot(leaves.slice(0, size));
  const { origin, vkey } = vectors;
  const size = entries.length;
  return {
    view: {
      checkpoint: { origin, size, root: rootAt(size) },
      entries: async (indexes: Iterable<number>) =>
        new Map([...indexes].map((index) => [index, entries[index]!] as const)),
      continues: async (older: { size: number; root: Uint8Array }) =>
        older.size <= size && equalBytes(rootAt(older.size), older.root),
    },
    vkeys: [vkey],
    verify: verifyEd25519,
    hashes: async (leaf: number) =>
      concatBytes(...{ ...vectors.hashes, ...hashes }[leaf]!.map(hexToBytes)),
  };
}

test.each(vectors.kept)("$name", async ({ kept, bound_leaf: leaf }) => {
  const acknowledgementState = await checkKeptAcknowledgement(kept, createLog());
  expect(acknowledgementState).toEqual(leaf === null ? { state: "open" } : { state: "kept", leaf });
});

test.each(vectors.falsified)("$name: $step, $difference", async (lie) => {
  const { kept, log, step, difference } = lie;
  const acknowledgementState = await checkKeptAcknowledgement(kept, createLog(log));
  expect(acknowledgementState).toEqual({ state: "broken", step, problem: difference });
});

describe("comparing a receipt with the acknowledgement", () => {
  test.each(vectors.receipts)("$name: $difference", ({ kept, receipt, difference }) => {
    const { acknowledgement } = kept ?? vectors.kept[0]!.kept;
    const result = parseAcknowledgement(acknowledgement.promise);
    if (!result.ok) throw new Error(result.error);
    const isOwn = getReceiptId(receipt) === result.value.id;
    expect(isOwn ? compareReceipt(result.value, receipt) : null).toBe(difference);
  });
});
