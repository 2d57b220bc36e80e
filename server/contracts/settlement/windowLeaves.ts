import { sql } from "kysely";
import { windowBounds } from "#core/contracts/settlementWindow.ts";
import { decodeHead, leafKinds } from "#core/transparency-log/leaf.ts";
import { ByteReader } from "#core/transparency-log/varint.ts";
import type { OrderRow } from "#server/contracts/types.ts";
import type { Db } from "#server/platform/db/database.ts";

/** Leaves per read: a window of a minute, and some on both sides for leaves that hold no second. */
const chunk = 96;
const before = 16;

/**
 * Leaves from the last second before the order's window to the first at or after delivery, so that
 * no second in between can be hidden; null for an order that was never entered. Read from the log
 * itself, which unlike the market's rows keeps every second permanently. The order is settled, so
 * both exist.
 */
export async function readWindowLeaves(
  db: Db,
  order: Pick<OrderRow, "entry_leaf" | "entry_at_ms" | "delivery_at_ms" | "window_seconds">,
): Promise<[number, number] | null> {
  if (order.delivery_at_ms === null) return null;
  const { fromMs, toMs } = windowBounds(Number(order.delivery_at_ms), order.window_seconds);
  // A window begins after the entry: a tier is never shorter than its window.
  const entry = { leaf: Number(order.entry_leaf), secondMs: Number(order.entry_at_ms) };
  const opens = await findSecond(db, fromMs, entry);
  const closes = await findSecond(db, toMs, opens.last);
  return [opens.last.leaf, closes.next.leaf];
}

interface Second {
  leaf: number;
  secondMs: number;
}

/**
 * Finds the last second before `atMs` and the first at or after it. `low` is any second before
 * `atMs`. Without gaps one read at the estimated position finds both; otherwise bisects between the
 * last second known to be before and the first leaf known to be past it.
 */
async function findSecond(
  db: Db,
  atMs: number,
  low: Second,
): Promise<{ last: Second; next: Second }> {
  let last = low;
  let high: number | null = null;
  let from = Math.max(low.leaf, low.leaf + (atMs - low.secondMs) / 1_000 - before);
  for (;;) {
    const seconds = await readSeconds(db, from);
    const at = seconds.findIndex(({ secondMs }) => secondMs >= atMs);
    if (at > 0) return { last: seconds[at - 1]!, next: seconds[at]! };
    if (at === 0 || seconds.length === 0) high = from;
    else if (seconds.length === 1 && from === last.leaf)
      throw new Error(`the log has no second at or after ${atMs}`);
    else last = seconds.at(-1)!;
    high ??= await countLeaves(db);
    from = high - last.leaf <= chunk ? last.leaf : Math.floor((last.leaf + high) / 2);
  }
}

async function countLeaves(db: Db): Promise<number> {
  const { rows } = await sql<{ next: bigint }>`select next from log_head`.execute(db);
  return Number(rows[0]!.next);
}

/** Seconds of the log from a leaf on, oldest first. */
async function readSeconds(db: Db, from: number): Promise<Second[]> {
  const { rows } = await sql<{ leaf: bigint; bytes: Buffer }>`
    select leaf, bytes from log_leaf where leaf >= ${from} and kind = ${leafKinds.second}
    order by leaf limit ${chunk}`.execute(db);
  return rows.map(({ leaf, bytes }) => ({ leaf: Number(leaf), secondMs: secondOf(bytes) }));
}

/** The second of a leaf, without parsing its quotes. */
function secondOf(bytes: Uint8Array): number {
  const reader = new ByteReader(bytes);
  decodeHead(reader, "second", null);
  return reader.count(Math.floor(Number.MAX_SAFE_INTEGER / 1000)) * 1000;
}
