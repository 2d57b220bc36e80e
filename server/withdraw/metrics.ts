import { sql } from "kysely";
import type { AppContext } from "#server/platform/context.ts";
import { countRows } from "#server/platform/db/countRows.ts";
import type { Db } from "#server/platform/db/database.ts";
import { toSingleValue, type WorldMetrics } from "#server/platform/metrics/worldMetrics.ts";

/** Withdrawals that have not left yet; each one leaves within a day (docs/rules/wallet.md). */
export function withdrawMetrics({
  database: { db },
  realClock,
}: Pick<AppContext, "database" | "realClock">): WorldMetrics {
  const readWaiting = async () => {
    const { rows } = await sql<{ waiting: number; placed_ms: bigint | null }>`
      select count(*)::integer as waiting, min(placed_real_ms) as placed_ms
      from withdrawal where outcome is null`.execute(db);
    return rows[0]!;
  };
  return {
    drydock_withdrawals_waiting: {
      help: "Withdrawals that have not left.",
      kind: "gauge",
      read: async () => toSingleValue((await readWaiting()).waiting),
    },
    drydock_withdrawal_oldest_seconds: {
      help: "How long the oldest of them has waited; 0 if there is none.",
      kind: "gauge",
      read: async () => {
        const { placed_ms: placedMs } = await readWaiting();
        return toSingleValue(
          placedMs === null ? 0 : (realClock.nowMs() - Number(placedMs)) / 1_000,
        );
      },
    },
  };
}

/** Withdrawals that have not left. */
export const countWaiting = (db: Db) =>
  countRows(
    db,
    sql<{ count: number }>`select count(*)::integer as count from withdrawal where outcome is null`,
  );
