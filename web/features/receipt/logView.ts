import { concatBytes, equalBytes } from "#core/transparency-log/bytes.ts";
import {
  type Checkpoint,
  type NoteError,
  type NoteKey,
  openCheckpoint,
  parseVkey,
  type VerifyEd25519,
} from "#core/transparency-log/checkpoint.ts";
import {
  consistencyRanges,
  inclusionRanges,
  type LeafRange,
  leafHash,
  rootFromInclusion,
  verifyConsistency,
} from "#core/transparency-log/merkle.ts";
import {
  hashBytes,
  rangeHash,
  tilesForRanges,
  tileWidth,
  tileWidthAt,
} from "#core/transparency-log/tile.ts";
import type { LogReader } from "#web/features/receipt/logReader.ts";

/**
 * The log at one signed checkpoint. Everything it returns is proven to be under that checkpoint.
 */
export interface LogView {
  checkpoint: Checkpoint;
  note: string;
  /** The trusted key that signed it. */
  key: NoteKey;
  /**
   * Entries by index, each with its inclusion proven. Rejects with a NotInLogError for one that is
   * not in the tree.
   */
  entries(indexes: Iterable<number>): Promise<Map<number, Uint8Array>>;
  /** Hashes of subtrees as read from tiles; only the root that they hash to proves them. */
  hashes(ranges: readonly LeafRange[]): Promise<Uint8Array[]>;
  /** Returns true if an older tree is a prefix of this one (consistency proof). */
  continues(older: { size: number; root: Uint8Array }): Promise<boolean>;
}

/** A served entry is not the one in the signed tree. */
export class NotInLogError extends Error {
  readonly leaf: number;

  constructor(leaf: number) {
    super(`leaf ${leaf} is not under the checkpoint`);
    this.name = "NotInLogError";
    this.leaf = leaf;
  }
}

export type ViewError = NoteError | "origin_wrong";

/** Ed25519 in plain JavaScript, so that it works outside a secure context; loaded on first use. */
export async function loadVerifier(): Promise<VerifyEd25519> {
  const { verifyEd25519 } = await import("#web/features/receipt/ed25519.ts");
  return verifyEd25519;
}

/**
 * Opens the log at its latest checkpoint, signed by one of `vkeys`. Rejects with a LogReadError
 * when none is served.
 */
export async function openLog(
  reader: LogReader,
  origin: string,
  vkeys: readonly string[],
  verify: VerifyEd25519,
): Promise<{ ok: true; view: LogView } | { ok: false; error: ViewError }> {
  return openView(reader, await reader.checkpoint(), origin, vkeys, verify);
}

/** Opens the log at a given signed note. */
export function openView(
  reader: LogReader,
  note: string,
  origin: string,
  vkeys: readonly string[],
  verify: VerifyEd25519,
): { ok: true; view: LogView } | { ok: false; error: ViewError } {
  const keys = vkeys.map((vkey) => parseVkey(vkey)).filter((key) => key !== null);
  const result = openCheckpoint(note, origin, keys, verify);
  if (!result.ok) return result;
  const key = keys.find((cachedBundle) => openCheckpoint(note, origin, [cachedBundle], verify).ok)!;
  return { ok: true, view: toLogView(reader, result.checkpoint, note, key) };
}

/** Which of `vkeys` signed this note of the log `origin`. */
export function listSigners(
  note: string,
  origin: string,
  vkeys: readonly string[],
  verify: VerifyEd25519,
): string[] {
  return vkeys.filter((vkey) => {
    const key = parseVkey(vkey);
    return key !== null && openCheckpoint(note, origin, [key], verify).ok;
  });
}

/** The log at a checkpoint that was opened already. */
export function toLogView(
  reader: LogReader,
  checkpoint: Checkpoint,
  note: string,
  key: NoteKey,
): LogView {
  const { size, root } = checkpoint;
  const bundles = new Map<number, Promise<Uint8Array[]>>();
  const bundle = (index: number) => {
    const cachedBundle = bundles.get(index);
    if (cachedBundle) return cachedBundle;
    const proven = proveBundle(reader, checkpoint, index);
    bundles.set(index, proven);
    proven.catch(() => bundles.delete(index));
    return proven;
  };
  return {
    checkpoint,
    note,
    key,
    entries: async (indexes) => {
      const uniqueIndexes = [...new Set(indexes)];
      const outsideIndex = uniqueIndexes.find((leaf) => !(leaf >= 0 && leaf < size));
      if (outsideIndex !== undefined) throw new NotInLogError(outsideIndex);
      const indexedEntries = await Promise.all(
        uniqueIndexes.map(async (leaf) => {
          const entries = await bundle(Math.floor(leaf / tileWidth));
          return [leaf, entries[leaf % tileWidth]!] as const;
        }),
      );
      return new Map(indexedEntries);
    },
    hashes: (ranges) => hashRanges(reader, ranges, size),
    continues: async (older) => {
      if (older.size > size) return false;
      if (older.size === size) return equalBytes(older.root, root);
      const path = await hashRanges(reader, consistencyRanges(older.size, size), size);
      return verifyConsistency(older, checkpoint, path);
    },
  };
}

/**
 * The entries of a bundle, each proven against the root. The level-0 tile is not fetched but
 * computed from the entries: if that leads to the signed root, every entry of the bundle is the one
 * in the tree.
 */
async function proveBundle(
  reader: LogReader,
  { size, root }: Checkpoint,
  index: number,
): Promise<Uint8Array[]> {
  const width = tileWidthAt("entries", index, size);
  const entries = await reader.entries(index, width);
  const hashes = concatBytes(...entries.map(leafHash));
  const first = index * tileWidth;
  const ranges = inclusionRanges(first, size);
  const tiles = await loadTiles(reader, ranges, size, new Map([[`0/${index}`, hashes]]));
  // The inclusion path of the first entry covers all others of its bundle, so one proof is enough.
  const path = ranges.map((range) => hashFrom(range, tiles));
  const computed = rootFromInclusion(hashes.subarray(0, hashBytes), first, size, path);
  if (!computed || !equalBytes(computed, root)) throw new NotInLogError(first);
  return entries;
}

async function loadTiles(
  reader: LogReader,
  ranges: readonly LeafRange[],
  size: number,
  cachedBundle: Map<string, Uint8Array> = new Map(),
): Promise<Map<string, Uint8Array>> {
  const tiles = new Map(cachedBundle);
  await Promise.all(
    tilesForRanges(ranges, size).map(async (id) => {
      const name = `${id.level}/${id.index}`;
      if (!cachedBundle.has(name)) tiles.set(name, await reader.tile(id));
    }),
  );
  return tiles;
}

function hashFrom(range: LeafRange, tiles: ReadonlyMap<string, Uint8Array>): Uint8Array {
  return rangeHash(range, (level, index) => tiles.get(`${level}/${index}`) ?? new Uint8Array());
}

async function hashRanges(
  reader: LogReader,
  ranges: readonly LeafRange[],
  size: number,
): Promise<Uint8Array[]> {
  const tiles = await loadTiles(reader, ranges, size);
  return ranges.map((range) => hashFrom(range, tiles));
}
