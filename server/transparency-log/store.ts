import { sql } from "kysely";
import type { LeafKind } from "#core/transparency-log/leaf.ts";
import { leafKinds } from "#core/transparency-log/leaf.ts";
import type { Db, Tx } from "#server/platform/db/database.ts";

/** SQL of the log, one function per statement. Leaf indices and sizes fit a double. */

export interface StoredLeaf {
  leaf: number;
  bytes: Uint8Array;
  /** Real time of appending, milliseconds. */
  atMs: number;
}

export interface StoredCheckpoint {
  size: number;
  root: Uint8Array;
  note: string;
  atMs: number;
}

export interface StoredTile {
  level: number;
  tile: number;
  hashes: Uint8Array;
  root: Uint8Array;
}

export async function lockNextIndex(tx: Tx): Promise<number> {
  const { rows } = await sql<{ next: bigint }>`select log_next() as next`.execute(tx);
  return Number(rows[0]!.next);
}

export async function insertLeaves(
  tx: Tx,
  leaves: readonly { kind: LeafKind; bytes: Uint8Array }[],
  atMs: number,
): Promise<number> {
  const kinds = leaves.map(({ kind }) => leafKinds[kind]);
  const entries = leaves.map(({ bytes }) => Buffer.from(bytes));
  const { rows } = await sql<{ first: bigint }>`
    select log_append(${kinds}::smallint[], ${entries}::bytea[], ${atMs}::bigint) as first
  `.execute(tx);
  return Number(rows[0]!.first);
}

export async function countLeaves(db: Db): Promise<number> {
  const { rows } = await sql<{ next: bigint }>`select next from log_head`.execute(db);
  return Number(rows[0]!.next);
}

/** Existing leaves of `[from, to)`, in order. */
export async function readLeaves(db: Db, from: number, to: number): Promise<StoredLeaf[]> {
  const { rows } = await sql<{ leaf: bigint; bytes: Buffer; at_ms: bigint }>`
    select leaf, bytes, at_ms from log_leaf where leaf >= ${from} and leaf < ${to} order by leaf
  `.execute(db);
  return rows.map((row) => ({
    leaf: Number(row.leaf),
    bytes: new Uint8Array(row.bytes),
    atMs: Number(row.at_ms),
  }));
}

export async function readCheckpoint(db: Db): Promise<StoredCheckpoint | null> {
  const { rows } = await sql<{ size: bigint; root: Buffer; note: string; at_ms: bigint }>`
    select size, root, note, at_ms from log_checkpoint order by size desc limit 1
  `.execute(db);
  const row = rows[0];
  if (!row) return null;
  return {
    size: Number(row.size),
    root: new Uint8Array(row.root),
    note: row.note,
    atMs: Number(row.at_ms),
  };
}

export async function insertCheckpoint(tx: Tx, checkpoint: StoredCheckpoint): Promise<void> {
  const { size, root, note, atMs } = checkpoint;
  await sql`
    select log_record_checkpoint(${size}::bigint, ${Buffer.from(root)}::bytea, ${note}, ${atMs}::bigint)
  `.execute(tx);
}

export async function insertTiles(tx: Tx, tiles: readonly StoredTile[]): Promise<void> {
  if (tiles.length === 0) return;
  await sql`
    insert into log_tile (level, tile, hashes, root)
    select * from unnest(
      ${tiles.map(({ level }) => level)}::smallint[],
      ${tiles.map(({ tile }) => tile)}::bigint[],
      ${tiles.map(({ hashes }) => Buffer.from(hashes))}::bytea[],
      ${tiles.map(({ root }) => Buffer.from(root))}::bytea[]
    )
  `.execute(tx);
}

/** A full tile's hashes; null if it is not stored. */
export async function readTile(db: Db, level: number, tile: number): Promise<Uint8Array | null> {
  const { rows } = await sql<{ hashes: Buffer }>`
    select hashes from log_tile where level = ${level} and tile = ${tile}
  `.execute(db);
  return rows[0] ? new Uint8Array(rows[0].hashes) : null;
}

/** Roots of the full tiles `[from, to)` of a level, in order. */
export async function readTileRoots(
  db: Db,
  level: number,
  from: number,
  to: number,
): Promise<Uint8Array[]> {
  const { rows } = await sql<{ root: Buffer }>`
    select root from log_tile where level = ${level} and tile >= ${from} and tile < ${to} order by tile
  `.execute(db);
  return rows.map(({ root }) => new Uint8Array(root));
}

/** Returns the log's name, which the first call sets to `wanted`. */
export async function ensureLogName(db: Db, name: string): Promise<string> {
  const { rows } = await sql<{ origin: string }>`select log_name(${name}) as origin`.execute(db);
  return rows[0]!.origin;
}

export async function readOrigin(db: Db): Promise<string | null> {
  const { rows } = await sql<{ origin: string | null }>`select origin from log_head`.execute(db);
  return rows[0]!.origin;
}

/** Verifier keys, newest first. */
export async function readKeys(db: Db): Promise<{ vkey: string; fromSize: number }[]> {
  const { rows } = await sql<{ vkey: string; from_size: bigint }>`
    select vkey, from_size from log_key order by from_size desc, recorded_at desc
  `.execute(db);
  return rows.map((row) => ({ vkey: row.vkey, fromSize: Number(row.from_size) }));
}

/** `handover` is the note of the key before it; null for the log's first key. */
export async function insertKey(
  db: Db,
  { vkey, fromSize, handover }: { vkey: string; fromSize: number; handover: string | null },
): Promise<void> {
  await sql`
    insert into log_key (vkey, from_size, handover) values (${vkey}, ${fromSize}, ${handover})
    on conflict do nothing
  `.execute(db);
}

/** The notes by which keys handed over, oldest first. */
export async function readHandovers(db: Db): Promise<string[]> {
  const { rows } = await sql<{ handover: string }>`
    select handover from log_key where handover is not null order by from_size, recorded_at
  `.execute(db);
  return rows.map(({ handover }) => handover);
}

/** Indexes of the leaves that say which log this one succeeds, oldest first. */
export async function readSuccessions(db: Db): Promise<number[]> {
  // A literal, so that the index over these leaves alone is used.
  const { rows } = await sql<{ leaf: bigint }>`
    select leaf from log_leaf where kind = 14 order by leaf`.execute(db);
  return rows.map(({ leaf }) => Number(leaf));
}

/**
 * Ends the log as the database knows it: from the next leaf on it has another name and key, and
 * nothing that witnesses signed for the older one is served. For the owner of the tables.
 */
export async function replaceIdentity(
  tx: Tx,
  { origin, vkey, fromSize }: { origin: string; vkey: string; fromSize: number },
): Promise<void> {
  await sql`update log_head set origin = ${origin}`.execute(tx);
  await sql`delete from log_key`.execute(tx);
  await sql`delete from log_cosigned_checkpoint`.execute(tx);
  await sql`delete from log_witness`.execute(tx);
  await insertKey(tx, { vkey, fromSize, handover: null });
}
