import { sql } from "kysely";
import { decodeHead, leafKinds } from "#core/transparency-log/leaf.ts";
import { decodeSecond, type SecondLeaf } from "#core/transparency-log/secondLeaf.ts";
import { ByteReader } from "#core/transparency-log/varint.ts";
import type { Db } from "#server/platform/db/database.ts";

/** Leaves per read: a window of a minute, and some on both sides for leaves that hold no second. */
const chunk = 96;
const before = 16;

/** Where a second is in the log. */
export interface LoggedSecond {
  leaf: number;
  secondMs: number;
}

/**
 * Finds the last second before `atMs` and the first at or after it; null while the log has none.
 * `low` is any second before `atMs`. Without gaps one read at the estimated position finds both;
 * otherwise bisects between the last second known to be before and the first leaf known to be past
 * it. Read from the log itself, which unlike the market's rows keeps every second permanently.
 */
export async function findSecond(
  db: Db,
  atMs: number,
  low: LoggedSecond,
): Promise<{ last: LoggedSecond; next: LoggedSecond | null }> {
  let last = low;
  let high: number | null = null;
  let from = Math.max(low.leaf, Math.floor(low.leaf + (atMs - low.secondMs) / 1_000) - before);
  for (;;) {
    const seconds = await readSeconds(db, from);
    const index = seconds.findIndex(({ secondMs }) => secondMs >= atMs);
    if (index > 0) return { last: seconds[index - 1]!, next: seconds[index]! };
    if (index === 0 || seconds.length === 0) high = from;
    else if (seconds.length === 1 && from === last.leaf) return { last, next: null };
    else last = seconds.at(-1)!;
    high ??= await countLeaves(db);
    from = high - last.leaf <= chunk ? last.leaf : Math.floor((last.leaf + high) / 2);
  }
}

/**
 * The newest second from leaf `from` to leaf `to` (both inclusive) that `accept` takes; null if it
 * takes none.
 */
export async function findNewestSecond(
  db: Db,
  tag: Uint8Array,
  { from, to }: { from: number; to: number },
  accept: (second: SecondLeaf) => boolean,
): Promise<SecondLeaf | null> {
  const { rows } = await sql<{ leaf: bigint; bytes: Buffer }>`
    select leaf, bytes from log_leaf
    where leaf between ${from} and ${to} and kind = ${leafKinds.second}
    order by leaf desc limit ${chunk}`.execute(db);
  for (const { leaf, bytes } of rows) {
    const result = decodeSecond(bytes, tag);
    if (!result.ok) throw new Error(`leaf ${leaf} is not a valid second`);
    if (accept(result.value)) return result.value;
  }
  return null;
}

async function countLeaves(db: Db): Promise<number> {
  const { rows } = await sql<{ next: bigint }>`select next from log_head`.execute(db);
  return Number(rows[0]!.next);
}

/** Seconds of the log from a leaf on, oldest first. */
async function readSeconds(db: Db, from: number): Promise<LoggedSecond[]> {
  const { rows } = await sql<{ leaf: bigint; bytes: Buffer }>`
    select leaf, bytes from log_leaf where leaf >= ${from} and kind = ${leafKinds.second}
    order by leaf limit ${chunk}`.execute(db);
  return rows.map(({ leaf, bytes }) => ({ leaf: Number(leaf), secondMs: readSecondMs(bytes) }));
}

/** The second of a leaf, without parsing its quotes. */
function readSecondMs(bytes: Uint8Array): number {
  const reader = new ByteReader(bytes);
  decodeHead(reader, "second", null);
  return reader.count(Math.floor(Number.MAX_SAFE_INTEGER / 1000)) * 1000;
}
