import { expect, test } from "vitest";
import { LogReader, tilePath } from "./logReader.ts";
import { leafHash, nodeHash, rangeHash } from "./merkle.ts";
import type { Checkpoint } from "./note.ts";

const leaves = Array.from({ length: 20 }, (_, index) => Buffer.from(`entry ${index}`));

/** A reader of a log that serves these entries and hashes. */
async function getReader(entries: readonly Buffer[], hashes: readonly Uint8Array[]) {
  const size = leaves.length;
  const node = async (level: number, index: number): Promise<Uint8Array> =>
    level === 0
      ? leafHash(leaves[index]!)
      : nodeHash(await node(level - 1, 2 * index), await node(level - 1, 2 * index + 1));
  const root = Buffer.from(await rangeHash(0, size, node));
  const files = new Map([
    [
      tilePath("entries", 0, size)!.path,
      Buffer.concat(entries.map((entry) => Buffer.from([0, entry.length, ...entry]))),
    ],
    [tilePath(0, 0, size)!.path, Buffer.concat(hashes)],
  ]);
  const checkpoint: Checkpoint = { origin: "", size, root, signatures: [], text: "" };
  return new LogReader(checkpoint, async (path) => files.get(path)!);
}

const otherLeaf = Buffer.from("another");
const notInLog = { step: "leaves", difference: "leaf_not_in_log" };

test("every leaf of a tile is proven, in any order", async () => {
  const reader = await getReader(leaves, leaves.map(leafHash));
  for (const index of [7, 19, 0, 7, 3]) expect(await reader.leaf(index)).toEqual(leaves[index]);
});

test("an altered entry is refused after another of its tile was proven", async () => {
  const reader = await getReader(leaves.with(3, otherLeaf), leaves.map(leafHash));
  await reader.leaf(7);
  await expect(reader.leaf(3)).rejects.toMatchObject(notInLog);
});

test("an altered entry is refused even if its tile was altered with it", async () => {
  const entries = leaves.with(3, otherLeaf);
  const reader = await getReader(entries, entries.map(leafHash));
  await expect(reader.leaf(3)).rejects.toMatchObject(notInLog);
  await expect(reader.leaf(7)).rejects.toMatchObject(notInLog);
});

test("a proven leaf whose hash in the tile is wrong proves no other", async () => {
  const reader = await getReader(leaves.with(3, otherLeaf), [
    ...leaves.map(leafHash).with(7, leafHash(otherLeaf)).with(3, leafHash(otherLeaf)),
  ]);
  await expect(reader.leaf(7)).rejects.toMatchObject(notInLog);
  const logReader = await getReader(leaves, leaves.map(leafHash).with(7, leafHash(otherLeaf)));
  expect(await logReader.leaf(7)).toEqual(leaves[7]);
  await expect(logReader.leaf(3)).rejects.toMatchObject(notInLog);
});
