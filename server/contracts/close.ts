import { sql } from "kysely";
import { entryLatestMs } from "#core/contracts/settle.ts";
import { contractIdOf } from "#core/contracts/terms.ts";
import { symbolNames } from "#core/market/symbols.ts";
import type { Closer, ClosingSecond } from "#server/market/feed.ts";
import type { Parts } from "#server/platform/parts.ts";

/**
 * What closing a second means for orders: those accepted up to it are bound to its leaf, and those bound before it read
 * their entry price from it. Runs in the feed's transaction; users are told when that second is announced as closed.
 */
export function createCloser(parts: Parts): Closer {
  let untold: { lastMs: number; orders: { id: string; user_id: string }[] }[] = [];
  parts.bus.subscribe("second.closed", ({ secondMs }) => {
    const told = untold.filter(({ lastMs }) => lastMs <= secondMs);
    untold = untold.filter(({ lastMs }) => lastMs > secondMs);
    tell(
      parts,
      told.flatMap(({ orders }) => orders),
    );
  });
  return async (tx, seconds) => {
    const last = seconds.at(-1);
    if (!last) return new Map();
    const secondMs = seconds.map((second) => second.secondMs);
    const leaves = seconds.map((second) => second.leaf);
    const bound = await sql<{ leaf: bigint; order_hash: Buffer; id: string; user_id: string }>`
      select leaf, order_hash, id, user_id from bind_orders(${secondMs}::bigint[], ${leaves}::bigint[])
      order by leaf, orders_index`.execute(tx);
    const values = seconds.flatMap(valuesOf);
    const entered = await sql<{ id: string; user_id: string }>`select id, user_id from enter_orders(
      ${values.map((v) => v.contractId)}::text[], ${values.map((v) => v.secondMs)}::bigint[],
      ${values.map((v) => v.leaf)}::bigint[], ${values.map((v) => v.value)}::bigint[], ${entryLatestMs})`.execute(
      tx,
    );
    if (bound.rows.length + entered.rows.length > 0) {
      untold.push({ lastMs: last.secondMs, orders: [...bound.rows, ...entered.rows] });
    }
    return hashesBySecond(seconds, bound.rows);
  };
}

function valuesOf({ secondMs, leaf, index }: ClosingSecond) {
  return symbolNames.map((symbol) => ({
    contractId: contractIdOf(symbol),
    secondMs,
    leaf,
    value: index[symbol] === null ? null : String(index[symbol]),
  }));
}

function hashesBySecond(
  seconds: readonly ClosingSecond[],
  bound: readonly { leaf: bigint; order_hash: Buffer }[],
): Map<number, Uint8Array[]> {
  const secondOf = new Map(seconds.map(({ leaf, secondMs }) => [leaf, secondMs]));
  const hashes = new Map<number, Uint8Array[]>();
  for (const { leaf, order_hash: hash } of bound) {
    const secondMs = secondOf.get(Number(leaf))!;
    const list = hashes.get(secondMs) ?? [];
    list.push(new Uint8Array(hash));
    hashes.set(secondMs, list);
  }
  return hashes;
}

/** Tells each person once which of their orders changed. */
export function tell(
  parts: Pick<Parts, "bus">,
  orders: readonly { id: string; user_id: string }[],
): void {
  const idsByUser = new Map<string, Set<string>>();
  for (const { id, user_id: userId } of orders) {
    const ids = idsByUser.get(userId) ?? new Set();
    ids.add(id);
    idsByUser.set(userId, ids);
  }
  for (const [userId, ids] of idsByUser)
    parts.bus.publish("order.changed", { userId, orderIds: [...ids] });
}
