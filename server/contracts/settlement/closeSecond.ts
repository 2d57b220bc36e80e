import { sql } from "kysely";
import { entryLatestMs } from "#core/contracts/settle.ts";
import { toContractId } from "#core/contracts/terms.ts";
import type { BeforeAppend, ClosingSecond } from "#server/market/feed.ts";
import type { AppContext, World } from "#server/platform/context.ts";
import { readHashesBySecond } from "#server/transparency-log/bindings.ts";

declare module "#server/platform/bus/bus.ts" {
  interface BusEvents {
    /** An order of a user was accepted, bound, given its entry price or settled. */
    "order.changed": { userId: string; orderIds: string[] };
  }
}

/**
 * Handles orders when seconds close: binds those accepted up to a second to its leaf, and reads the
 * entry price of those bound earlier from it. Runs in the feed's transaction; owners are notified
 * once `second.closed` is published.
 */
export function createBeforeAppend(ctx: AppContext): BeforeAppend {
  let pending: { lastMs: number; orders: { id: string; user_id: string }[] }[] = [];
  ctx.bus.subscribe("second.closed", ({ secondMs }) => {
    const dueOrders = pending.filter(({ lastMs }) => lastMs <= secondMs);
    pending = pending.filter(({ lastMs }) => lastMs > secondMs);
    notify(
      ctx,
      dueOrders.flatMap(({ orders }) => orders),
    );
  });
  return async (tx, seconds) => {
    const last = seconds.at(-1);
    if (!last) return new Map();
    const secondMs = seconds.map((second) => second.secondMs);
    const leaves = seconds.map((second) => second.leaf);
    // New orders wait for this statement: lists are returned as one text each, which costs a
    // fraction of a row per order.
    const result = await sql<ChangedOrders & { leaf: bigint; hashes: Buffer }>`
      select leaf, string_agg(order_hash, ''::bytea order by seq) as hashes,
        string_agg(id::text, chr(10)) as ids, string_agg(user_id, chr(10)) as users
      from bind_orders(${secondMs}::bigint[], ${leaves}::bigint[]) group by leaf order by leaf`.execute(
      tx,
    );
    const values = seconds.flatMap((second) => toSqlValues(ctx.world, second));
    const queryResult = await sql<ChangedOrders>`
      select string_agg(id::text, chr(10)) as ids, string_agg(user_id, chr(10)) as users from set_entry_prices(
      ${values.map((v) => v.contractId)}::text[], ${values.map((v) => v.secondMs)}::bigint[],
      ${values.map((v) => v.leaf)}::bigint[], ${values.map((v) => v.value)}::bigint[], ${entryLatestMs})`.execute(
      tx,
    );
    const orders = [...result.rows, ...queryResult.rows].flatMap(listOrders);
    if (orders.length > 0) pending.push({ lastMs: last.secondMs, orders });
    return readHashesBySecond(seconds, result.rows);
  };
}

/**
 * Order ids and their owners, one per line in both; null when there are none. Ids contain no line
 * breaks.
 */
interface ChangedOrders {
  ids: string | null;
  users: string | null;
}

function listOrders({ ids, users }: ChangedOrders): { id: string; user_id: string }[] {
  if (ids === null || users === null) return [];
  const owners = users.split("\n");
  return ids.split("\n").map((id, index) => ({ id, user_id: owners[index]! }));
}

function toSqlValues({ symbols }: World, { secondMs, leaf, index }: ClosingSecond) {
  return symbols.map((symbol) => ({
    contractId: toContractId(symbol),
    secondMs,
    leaf,
    value: index[symbol] === null ? null : String(index[symbol]),
  }));
}

/** Notifies each person once of which of their orders changed. */
export function notify(
  ctx: Pick<AppContext, "bus">,
  orders: readonly { id: string; user_id: string }[],
): void {
  const idsByUser = new Map<string, Set<string>>();
  for (const { id, user_id: userId } of orders) {
    const ids = idsByUser.get(userId) ?? new Set();
    ids.add(id);
    idsByUser.set(userId, ids);
  }
  for (const [userId, ids] of idsByUser)
    ctx.bus.publish("order.changed", { userId, orderIds: [...ids] });
}
