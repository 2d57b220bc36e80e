import { concatBytes } from "#core/transparency-log/bytes.ts";
import {
  consistencyRanges,
  inclusionRanges,
  type LeafRange,
  leafHash,
} from "#core/transparency-log/merkle.ts";
import { appendLeaf, type CompactRange, emptyRange } from "#core/transparency-log/range.ts";
import {
  hashBytes,
  rangeHash,
  splitHashes,
  type TileId,
  tilePath,
  tilesForRanges,
  tileWidth,
  tileWidthAt,
} from "#core/transparency-log/tile.ts";
import type { Db } from "#server/platform/db/database.ts";
import {
  readLeaves,
  readTile,
  readTileRoots,
  type StoredTile,
} from "#server/transparency-log/store.ts";

/**
 * State of the integrator between batches: the compact range, and the hashes of the open tile of
 * each level.
 */
export interface GrowingTree {
  range: CompactRange;
  open: Uint8Array[][];
}

/**
 * A tile's hashes at its width: stored if full, otherwise assembled from the level below. Null if
 * incomplete.
 */
export async function loadTile(
  db: Db,
  { level, index, width }: TileId,
): Promise<Uint8Array | null> {
  if (level === "entries") throw new TypeError("entries are not hashes");
  const fullTile = await readTile(db, level, index);
  if (fullTile) return fullTile.subarray(0, width * hashBytes);
  if (width === tileWidth) return null;
  const first = index * tileWidth;
  const hashes =
    level === 0
      ? (await readLeaves(db, first, first + width)).map(({ bytes }) => leafHash(bytes))
      : await readTileRoots(db, level - 1, first, first + width);
  return hashes.length === width ? concatBytes(...hashes) : null;
}

/** Roots of ranges in the tree of `size`, read from tiles. */
async function hashRanges(
  db: Db,
  ranges: readonly LeafRange[],
  size: number,
): Promise<Uint8Array[]> {
  const tiles = new Map<string, Uint8Array>();
  for (const tile of tilesForRanges(ranges, size)) {
    const hashes = await loadTile(db, tile);
    if (!hashes) throw new Error(`the log lacks ${tilePath(tile)}`);
    tiles.set(`${tile.level}/${tile.index}`, hashes);
  }
  return ranges.map((range) => rangeHash(range, (level, index) => tiles.get(`${level}/${index}`)!));
}

export async function readInclusionPath(db: Db, leaf: number, size: number): Promise<Uint8Array[]> {
  return await hashRanges(db, inclusionRanges(leaf, size), size);
}

export async function readConsistencyPath(db: Db, from: number, to: number): Promise<Uint8Array[]> {
  return await hashRanges(db, consistencyRanges(from, to), to);
}

/** The tree at `size`, rebuilt from tiles and the leaves after the last full one. */
export async function loadTree(db: Db, size: number): Promise<GrowingTree> {
  if (size === 0) return { range: emptyRange, open: [] };
  const subtrees: LeafRange[] = [];
  for (let start = 0; start < size; ) {
    let count = 1;
    while (count * 2 <= size - start) count *= 2;
    subtrees.push({ start, end: start + count });
    start += count;
  }
  const open: Uint8Array[][] = [];
  for (let level = 0; size / tileWidth ** level >= 1; level += 1) {
    const index = Math.floor(size / tileWidth ** (level + 1));
    const width = tileWidthAt(level, index, size);
    const hashes = width === 0 ? new Uint8Array() : await loadTile(db, { level, index, width });
    if (!hashes) throw new Error(`the log lacks ${tilePath({ level, index, width })}`);
    open.push(splitHashes(hashes));
  }
  return { range: { size, hashes: await hashRanges(db, subtrees, size) }, open };
}

/** The tree with more entries, and the tiles they filled. Does not mutate its arguments. */
export function growTree(
  tree: GrowingTree,
  entries: readonly Uint8Array[],
): { tree: GrowingTree; tiles: StoredTile[] } {
  const open = tree.open.map((hashes) => [...hashes]);
  const tiles: StoredTile[] = [];
  let range = tree.range;
  for (const entry of entries) {
    range = appendLeaf(range, leafHash(entry), (height, index, hash) => {
      if (height % 8 !== 0) return;
      const level = height / 8;
      if (level > 0) {
        const hashes = concatBytes(...open[level - 1]!);
        tiles.push({ level: level - 1, tile: index, hashes, root: hash });
        open[level - 1] = [];
      }
      open[level] ??= [];
      open[level].push(hash);
    });
  }
  return { tree: { range, open }, tiles };
}
