import { concatBytes } from "#core/transparency-log/bytes.ts";
import {
  emptyRoot,
  type LeafRange,
  nodeHash,
  splitPoint,
  treeRoot,
} from "#core/transparency-log/merkle.ts";

/** C2SP tlog-tiles (https://c2sp.org/tlog-tiles): tiles of height 8, 256 hashes wide. */
export const tileWidth = 256;
export const hashBytes = 32;
/** Entry lengths are big-endian uint16. */
const entryBytesMax = 65_535;

/**
 * A tile of hashes (`level` 0 to 63) or a bundle of entries: the `index`-th of its level, with
 * `width` 1 to 256 items.
 */
export interface TileId {
  level: number | "entries";
  index: number;
  width: number;
}

/**
 * The path below the log's prefix: `tile/0/x001/x234/067`, with `.p/<width>` for a partial tile.
 */
export function tilePath({ level, index, width }: TileId): string {
  let digits = String(index);
  digits = digits.padStart(Math.ceil(digits.length / 3) * 3, "0");
  const parts = digits.match(/.{3}/g)!;
  const name = parts.map((part, index) => (index < parts.length - 1 ? `x${part}` : part)).join("/");
  return `tile/${level}/${name}${width < tileWidth ? `.p/${width}` : ""}`;
}

/** Parses a path that `tilePath` would write; null for any other spelling. */
export function parseTilePath(path: string): TileId | null {
  const match =
    /^tile\/(entries|[0-9]{1,2})\/((?:x[0-9]{3}\/){0,4}[0-9]{3})(?:\.p\/([1-9][0-9]{0,2}))?$/.exec(
      path,
    );
  if (!match) return null;
  const level = match[1] === "entries" ? "entries" : Number(match[1]);
  const tile: TileId = {
    level,
    index: Number(match[2]!.replaceAll(/[x/]/g, "")),
    width: match[3] === undefined ? tileWidth : Number(match[3]),
  };
  if (level !== "entries" && level > 63) return null;
  // Writing it again rejects leading zeros, an explicit width of 256 and superfluous path elements.
  return tilePath(tile) === path ? tile : null;
}

/** The number of items in tile `index` on `level` in a tree of `size`: 0 (absent) to 256 (full). */
export function tileWidthAt(level: number | "entries", index: number, size: number): number {
  const items = level === "entries" ? size : Math.floor(size / tileWidth ** level);
  return Math.max(0, Math.min(tileWidth, items - index * tileWidth));
}

/** The tile that holds the root of the `index`-th complete subtree of 2^`height` leaves. */
function tileOfNode(
  height: number,
  index: number,
): { level: number; tile: number; first: number; count: number } {
  const level = Math.floor(height / 8);
  const count = 2 ** (height - level * 8);
  const first = index * count;
  return { level, tile: Math.floor(first / tileWidth), first: first % tileWidth, count };
}

/** The complete subtrees, left to right, that make up a range as RFC 9162 splits it. */
function wholeSubtrees({ start, end }: LeafRange): { height: number; index: number }[] {
  const nodes: { height: number; index: number }[] = [];
  let position = start;
  while (position < end) {
    const remaining = end - position;
    const count = remaining === 1 ? 1 : splitPoint(remaining + 1);
    nodes.push({ height: Math.round(Math.log2(count)), index: position / count });
    position += count;
  }
  return nodes;
}

/** Every tile needed to compute the roots of `ranges` in a tree of `size`, without duplicates. */
export function tilesForRanges(ranges: readonly LeafRange[], size: number): TileId[] {
  const tiles = new Map<string, TileId>();
  for (const node of ranges.flatMap(wholeSubtrees)) {
    const { level, tile } = tileOfNode(node.height, node.index);
    const id = { level, index: tile, width: tileWidthAt(level, tile, size) };
    tiles.set(tilePath(id), id);
  }
  return [...tiles.values()];
}

/**
 * Computes a range's root from tiles: `read(level, index)` returns a tile's bytes (at least as wide
 * as the range needs). The range must be one RFC 9162 produces: its complete subtrees are aligned.
 * Throws a RangeError when a tile is too short.
 */
export function rangeHash(
  range: LeafRange,
  readHash: (level: number, index: number) => Uint8Array,
): Uint8Array {
  const hashes = wholeSubtrees(range).map(({ height, index }) => {
    const { level, tile, first, count } = tileOfNode(height, index);
    const bytes = readHash(level, tile);
    if (bytes.length < (first + count) * hashBytes) throw new RangeError("tile is too short");
    return treeRoot(splitHashes(bytes.subarray(first * hashBytes, (first + count) * hashBytes)));
  });
  if (hashes.length === 0) return emptyRoot();
  return hashes.reduceRight((right, left) => nodeHash(left, right));
}

/** Splits concatenated hashes. Throws a RangeError when the length is not a multiple of 32. */
export function splitHashes(bytes: Uint8Array): Uint8Array[] {
  if (bytes.length % hashBytes !== 0) throw new RangeError("not a sequence of hashes");
  return Array.from({ length: bytes.length / hashBytes }, (_, index) =>
    bytes.subarray(index * hashBytes, (index + 1) * hashBytes),
  );
}

/** Encodes an entry bundle: each entry is preceded by its length as a big-endian uint16. */
export function encodeBundle(entries: readonly Uint8Array[]): Uint8Array {
  return concatBytes(
    ...entries.flatMap((entry) => {
      if (entry.length > entryBytesMax) throw new RangeError("entry is too long for a bundle");
      return [Uint8Array.of(entry.length >> 8, entry.length & 255), entry];
    }),
  );
}

/** Decodes an entry bundle; null when a length runs past the end. */
export function decodeBundle(bytes: Uint8Array): Uint8Array[] | null {
  const entries: Uint8Array[] = [];
  let offset = 0;
  while (offset < bytes.length) {
    if (offset + 2 > bytes.length) return null;
    const length = bytes[offset]! * 256 + bytes[offset + 1]!;
    offset += 2;
    if (offset + length > bytes.length) return null;
    entries.push(bytes.subarray(offset, offset + length));
    offset += length;
  }
  return entries;
}
