import { sql } from "kysely";
import type { Db } from "#server/platform/db/database.ts";

interface EventCursor {
  atMs: number;
  id: string;
}

/** An attempt's settled orders as events, newest first: a lost order moves no money when it ends. */
export function readSettledOrders(db: Db) {
  return async (
    { userId, attemptId }: { userId: string; attemptId: string },
    {
      before,
      after,
      limit,
    }: { before: EventCursor | null; after: EventCursor | null; limit: number },
  ) => {
    const { rows } = await sql<{
      id: string;
      at_ms: bigint;
      net: bigint;
      outcome: string;
      direction: string;
      symbol: string;
    }>`
      select o.id, o.settled_at_ms as at_ms, o.payout - o.stake - o.fee as net, o.outcome, o.direction,
        c.symbol
      from contract_order o join contract c on c.id = o.contract_id
      where o.user_id = ${userId} and o.attempt_id = ${attemptId} and o.settled_at_ms is not null
        and (${before === null} or (o.settled_at_ms, o.id) < (${before?.atMs ?? 0}, ${before?.id ?? null}::uuid))
        and (${after === null} or (o.settled_at_ms, o.id) > (${after?.atMs ?? 0}, ${after?.id ?? null}::uuid))
      order by o.settled_at_ms desc, o.id desc limit ${limit}`.execute(db);
    return rows.map(({ id, at_ms: atMs, net, outcome, direction, symbol }) => ({
      id,
      type: "contract.settled",
      atMs: Number(atMs),
      coin: "pUSDT" as const,
      amount: net,
      facts: { symbol, direction, outcome },
      link: null,
      receipt: `/verify?order_id=${id}`,
    }));
  };
}
