import { equalBytes, MismatchError, toHex } from "./bytes.ts";
import { readHandovers } from "./handover.ts";
import {
  consistencyPath,
  inclusionPath,
  leafHash,
  nodeHash,
  provesConsistency,
  provesInclusion,
  rangeHash,
} from "./merkle.ts";
import type { Checkpoint } from "./note.ts";

/** Reads a file under `/log`, such as `tile/0/000`; rejects when it is unavailable. */
export type FileReader = (path: string) => Promise<Uint8Array>;

const tileWidth = 256;

/** Formats a tile index as path elements: `1234067` is `x001/x234/067`. */
function tileNumber(index: number): string {
  const groups = String(index)
    .padStart(Math.ceil(String(index).length / 3) * 3, "0")
    .match(/.{3}/g) as string[];
  return groups.map((group, index) => (index < groups.length - 1 ? `x${group}` : group)).join("/");
}

/**
 * The file of tile `index` at `level` in a tree of `size`, partial when the tree does not fill it;
 * null when the tile is empty.
 */
export function tilePath(
  level: number | "entries",
  index: number,
  size: number,
): { path: string; width: number } | null {
  const hashes = level === "entries" ? size : Math.floor(size / tileWidth ** level);
  const width = Math.min(tileWidth, hashes - index * tileWidth);
  if (width <= 0) return null;
  const path = `tile/${level}/${tileNumber(index)}`;
  return { path: width === tileWidth ? path : `${path}.p/${width}`, width };
}

/**
 * Reads leaves of the tree under one checkpoint and proves each of them. No data is trusted before
 * that: the proof is computed from the tiles' hashes and must lead to the signed root.
 */
export class LogReader {
  readonly checkpoint: Checkpoint;
  private readonly file: FileReader;
  private readonly files = new Map<string, Promise<Uint8Array>>();
  private readonly proven = new Map<number, Uint8Array>();
  /** Tiles in which a leaf was proven, and whose hashes are therefore all right. */
  private readonly provenTiles = new Set<number>();

  constructor(checkpoint: Checkpoint, file: FileReader) {
    this.checkpoint = checkpoint;
    this.file = file;
  }

  private read(path: string): Promise<Uint8Array> {
    const cached = this.files.get(path);
    if (cached) return cached;
    const reading = this.file(path);
    this.files.set(path, reading);
    return reading;
  }

  /** Hash of a complete subtree, from the tile of its level or computed from the tiles below. */
  private readonly node = async (level: number, index: number): Promise<Uint8Array> => {
    const tileLevel = level % 8;
    if (tileLevel !== 0) {
      return nodeHash(
        await this.node(level - 1, 2 * index),
        await this.node(level - 1, 2 * index + 1),
      );
    }
    const tile = tilePath(level / 8, Math.floor(index / tileWidth), this.checkpoint.size);
    if (!tile) throw new MismatchError("leaves", "leaf_missing", `node ${level}/${index}`);
    const bytes = await this.read(tile.path);
    if (bytes.length !== 32 * tile.width)
      throw new MismatchError("leaves", "tile_malformed", tile.path);
    const offset = (index % tileWidth) * 32;
    return bytes.subarray(offset, offset + 32);
  };

  /** The entry at `index`, proven under the checkpoint. */
  async leaf(index: number): Promise<Uint8Array> {
    const cached = this.proven.get(index);
    if (cached) return cached;
    const { size } = this.checkpoint;
    const bundle = tilePath("entries", Math.floor(index / tileWidth), size);
    if (index >= size || !bundle)
      throw new MismatchError("leaves", "leaf_missing", `leaf ${index} of ${size}`);
    const entries = splitEntries(await this.read(bundle.path), bundle);
    const entry = entries[index % tileWidth] as Uint8Array;
    if (!(await this.isIncluded(index, leafHash(entry))))
      throw new MismatchError("leaves", "leaf_not_in_log", `leaf ${index}`);
    this.proven.set(index, entry);
    return entry;
  }

  /**
   * The path of a leaf is computed from all other hashes of its tile: once one of the tile's leaves
   * is proven, the others need only be compared with the tile.
   */
  private async isIncluded(index: number, hash: Uint8Array): Promise<boolean> {
    const { size, root } = this.checkpoint;
    const tile = Math.floor(index / tileWidth);
    const isInTile = async () => equalBytes(hash, await this.node(0, index));
    if (this.provenTiles.has(tile)) return isInTile();
    const path = await inclusionPath(index, 0, size, this.node);
    if (!provesInclusion(index, size, hash, path, root)) return false;
    if (await isInTile()) this.provenTiles.add(tile);
    return true;
  }

  /**
   * The entries from one index to another, both inclusive. The path of one leaf is computed from
   * all hashes of its tile, so if it leads to the root, every hash of the tile is right, and the
   * other entries need only be compared with them.
   */
  async range(from: number, to: number): Promise<Uint8Array[]> {
    const rangeHashes: Uint8Array[] = [];
    for (let tile = Math.floor(from / tileWidth); tile * tileWidth <= to; tile++) {
      const start = tile * tileWidth;
      await this.leaf(start);
      const { size } = this.checkpoint;
      const bundle = tilePath("entries", tile, size);
      const tilesPath = tilePath(0, tile, size);
      if (!bundle || !tilesPath)
        throw new MismatchError("leaves", "leaf_missing", `leaf ${start} of ${size}`);
      const hashes = await this.read(tilesPath.path);
      const entries = splitEntries(await this.read(bundle.path), bundle);
      for (const [position, entry] of entries.entries()) {
        const index = start + position;
        if (!equalBytes(leafHash(entry), hashes.subarray(32 * position, 32 * position + 32)))
          throw new MismatchError("leaves", "leaf_not_in_log", `leaf ${index}`);
        if (index >= from && index <= to) rangeHashes.push(entry);
      }
    }
    return rangeHashes;
  }

  /**
   * Checks that this tree extends an older one. `log_changed`: the two signed trees contradict each
   * other; `tile_differs`: the tiles belong to neither tree and prove nothing.
   */
  async continues(older: { size: number; root: Uint8Array }): Promise<void> {
    const { size, root } = this.checkpoint;
    if (older.size > size)
      throw new MismatchError("memory", "log_shrank", `from ${older.size} to ${size}`);
    const path = await consistencyPath(older.size, size, this.node);
    if (provesConsistency(older.size, size, older.root, root, path)) return;
    if (older.size > 0 && older.size < size) {
      const olderRoot = await rangeHash(0, older.size, this.node);
      if (!provesConsistency(older.size, size, olderRoot, root, path))
        throw new MismatchError("leaves", "tile_differs", `those of the tree of ${size} leaves`);
    }
    throw new MismatchError(
      "memory",
      "log_changed",
      `the tree of ${older.size} leaves was ${toHex(older.root)}`,
    );
  }

  /** The notes by which the log's keys handed over, unchecked. */
  handovers(): Promise<unknown> {
    return readHandovers(this.file);
  }

  /** Recomputes the root from all tiles; an inclusion proof does so only along one path. */
  async wholeRoot(): Promise<Uint8Array> {
    return rangeHash(0, this.checkpoint.size, this.node);
  }
}

/** All entries of a bundle; each is preceded by its length as a big-endian uint16. */
export function splitEntries(
  bundle: Uint8Array,
  { path, width }: { path: string; width: number },
): Uint8Array[] {
  const entries: Uint8Array[] = [];
  let offset = 0;
  for (let number = 0; number < width; number++) {
    const length = ((bundle[offset] ?? 0) << 8) | (bundle[offset + 1] ?? 0);
    if (offset + 2 + length > bundle.length)
      throw new MismatchError("leaves", "bundle_malformed", path);
    entries.push(bundle.subarray(offset + 2, offset + 2 + length));
    offset += 2 + length;
  }
  if (offset !== bundle.length) throw new MismatchError("leaves", "bundle_malformed", path);
  return entries;
}
