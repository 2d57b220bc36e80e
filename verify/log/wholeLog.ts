import { decodeNetwork, type HourLeaf } from "../mining/leaves.ts";
import { checkNetwork } from "../mining/network.ts";
import { equalBytes, MismatchError } from "./bytes.ts";
import { decodeSecond, decodeSleep, decodeWorld, kinds, readKind, worldTag } from "./leaves.ts";
import { type Commitment, decodeLiabilities, nextCommitment } from "./liabilities.ts";
import { type FileReader, splitEntries, tilePath } from "./logReader.ts";
import { leafHash, nodeHash, rangeHash } from "./merkle.ts";
import type { Checkpoint } from "./note.ts";

const tileWidth = 256;

/**
 * Reads every leaf and every tile of the log, and the hashes that each second binds; all of them
 * must match the signed root. An inclusion proof checks only one path of the tree. Each commitment
 * to what people hold must follow the last one before it, and the mined network is run again from
 * its revealed seeds. Resolves with a sentence.
 */
export async function readWholeLog(checkpoint: Checkpoint, file: FileReader): Promise<string> {
  const { size, root } = checkpoint;
  let hashes: Uint8Array[] = [];
  let lastSecondMs = -1;
  let boundCount = 0;
  let sleeps = 0;
  let commitment: Commitment | null = null;
  const readings: HourLeaf[] = [];
  let tag: Uint8Array | null = null;
  for (let index = 0; index * tileWidth < size; index += 1) {
    const bundle = tilePath("entries", index, size) as { path: string; width: number };
    for (const entry of splitEntries(await file(bundle.path), bundle)) {
      const leaf = hashes.length;
      hashes.push(leafHash(entry));
      tag ??= worldTag(decodeWorld(entry).name);
      const kind = readKind(entry, tag);
      if (kind === kinds.sleep) {
        const { lastSecondMs: last } = decodeSleep(entry, tag);
        if (last !== lastSecondMs)
          throw new MismatchError("leaves", "sleep_differs", `leaf ${leaf}`);
        sleeps += 1;
      }
      if (kind === kinds.liabilities)
        commitment = nextCommitment(commitment, leaf, decodeLiabilities(entry, tag));
      if (kind === kinds.network) readings.push(decodeNetwork(entry, tag));
      if (kind !== kinds.second) continue;
      const { secondMs, ordersCount, ordersRoot } = decodeSecond(entry, tag);
      if (secondMs <= lastSecondMs)
        throw new MismatchError("leaves", "seconds_not_ascending", `leaf ${leaf}`);
      lastSecondMs = secondMs;
      if (ordersCount > 0) await requireBoundHashes(leaf, { ordersCount, ordersRoot }, file);
      boundCount += ordersCount;
    }
  }
  if (hashes.length !== size) throw new MismatchError("leaves", "leaf_missing", `of ${size}`);
  const leaves = hashes;
  const atLevel = async (level: number, index: number): Promise<Uint8Array> =>
    level === 0
      ? (leaves[index] as Uint8Array)
      : nodeHash(await atLevel(level - 1, 2 * index), await atLevel(level - 1, 2 * index + 1));
  if (!equalBytes(await rangeHash(0, size, atLevel), root))
    throw new MismatchError("leaves", "leaf_not_in_log", `the leaves of the tree of ${size}`);
  for (let level = 0; hashes.length > 0; level += 1) {
    for (let index = 0; index * tileWidth < hashes.length; index += 1) {
      const tile = tilePath(level, index, size) as { path: string; width: number };
      const tileHashes = Buffer.concat(hashes.slice(index * tileWidth, (index + 1) * tileWidth));
      if (!equalBytes(await file(tile.path), tileHashes))
        throw new MismatchError("leaves", "tile_differs", tile.path);
    }
    hashes = await computeNextLevel(hashes);
  }
  return `Every leaf and every tile of ${size} leaves was read, with ${boundCount} bound orders and ${sleeps} sleeps. ${checkNetwork(readings)}`;
}

/** The hashes of the next level of tiles: the roots of the full tiles below. */
async function computeNextLevel(hashes: readonly Uint8Array[]): Promise<Uint8Array[]> {
  const full = Math.floor(hashes.length / tileWidth);
  const roots: Uint8Array[] = [];
  for (let index = 0; index < full; index += 1) {
    let row = hashes.slice(index * tileWidth, (index + 1) * tileWidth);
    while (row.length > 1)
      row = Array.from({ length: row.length / 2 }, (_, index) =>
        nodeHash(row[2 * index] as Uint8Array, row[2 * index + 1] as Uint8Array),
      );
    roots.push(row[0] as Uint8Array);
  }
  return roots;
}

async function requireBoundHashes(
  leaf: number,
  { ordersCount, ordersRoot }: { ordersCount: number; ordersRoot: Buffer },
  file: FileReader,
): Promise<void> {
  const bytes = Buffer.from(await file(`orders/${leaf}`));
  const isComplete = bytes.length === ordersCount * 32;
  const hashes = Array.from({ length: ordersCount }, (_, index) =>
    leafHash(bytes.subarray(index * 32, index * 32 + 32)),
  );
  const node = async (level: number, index: number): Promise<Uint8Array> =>
    level === 0
      ? (hashes[index] as Uint8Array)
      : nodeHash(await node(level - 1, 2 * index), await node(level - 1, 2 * index + 1));
  if (!isComplete || !equalBytes(await rangeHash(0, ordersCount, node), ordersRoot))
    throw new MismatchError("leaves", "order_not_in_root", `the hashes that leaf ${leaf} binds`);
}
