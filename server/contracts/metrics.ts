import { sql } from "kysely";
import type { AppContext } from "#server/platform/context.ts";
import { toSingleValue, type WorldMetrics } from "#server/platform/metrics/worldMetrics.ts";

/** Open orders, and the age of the oldest order that is due for settlement. */
export function contractsMetrics({
  database: { db },
  clock,
  world,
}: Pick<AppContext, "database" | "clock" | "world">): WorldMetrics {
  return {
    drydock_open_orders: {
      help: "Orders that are not settled.",
      kind: "gauge",
      read: async () => {
        const { rows } = await sql<{ open: number }>`
          select count(*)::integer as open from contract_order where settled_at_ms is null`.execute(
          db,
        );
        return toSingleValue(rows[0]!.open);
      },
    },
    drydock_settlement_lag_seconds: {
      help: "How long the oldest order that is due has waited to be settled, in real time.",
      kind: "gauge",
      read: async () => {
        const nowMs = clock.nowMs();
        const { rows } = await sql<{ due_ms: bigint | null }>`
          select min(due_at_ms) as due_ms from contract_order
          where settled_at_ms is null and due_at_ms <= ${nowMs}`.execute(db);
        const { due_ms: dueMs } = rows[0]!;
        return toSingleValue(
          dueMs === null ? 0 : (nowMs - Number(dueMs)) / world.market.speed / 1_000,
        );
      },
    },
  };
}
