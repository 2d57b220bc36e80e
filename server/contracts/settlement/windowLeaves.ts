import { getWindowBounds } from "#core/contracts/settlementWindow.ts";
import type { OrderRow } from "#server/contracts/types.ts";
import type { Db } from "#server/platform/db/database.ts";
import { findSecond } from "#server/transparency-log/seconds.ts";

/**
 * Leaves from the last second before the order's window to the first at or after delivery, so that
 * no second in between can be hidden; null for an order that was never entered. The order is
 * settled, so both exist.
 */
export async function readWindowLeaves(
  db: Db,
  order: Pick<OrderRow, "entry_leaf" | "entry_at_ms" | "delivery_at_ms" | "window_seconds">,
): Promise<[number, number] | null> {
  if (order.delivery_at_ms === null) return null;
  const { fromMs, toMs } = getWindowBounds(Number(order.delivery_at_ms), order.window_seconds);
  // A window begins after the entry: a tier is never shorter than its window.
  const entry = { leaf: Number(order.entry_leaf), secondMs: Number(order.entry_at_ms) };
  const opens = await findSecond(db, fromMs, entry);
  const closes = await findSecond(db, toMs, opens.last);
  if (closes.next === null) throw new Error(`the log has no second at or after ${toMs}`);
  return [opens.last.leaf, closes.next.leaf];
}
