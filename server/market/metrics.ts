import { sql } from "kysely";
import { gapCauses } from "#server/market/gaps.ts";
import type { Market } from "#server/market/market.ts";
import type { AppContext } from "#server/platform/context.ts";
import {
  timestamp,
  toSingleValue,
  type WorldMetrics,
} from "#server/platform/metrics/worldMetrics.ts";

/** Metrics of the world's seconds: the last one, and those that were not closed. */
export function marketMetrics(
  { database: { db } }: Pick<AppContext, "database">,
  market: Pick<Market, "lagMs" | "latest">,
): WorldMetrics {
  return {
    drydock_feed_lag_seconds: {
      help: "How far the last closed second is behind the clock, in real time.",
      kind: "gauge",
      read: async () => {
        const lagMs = market.lagMs();
        return toSingleValue(lagMs === null ? null : lagMs / 1_000);
      },
    },
    drydock_second_timestamp_seconds: {
      help: "World time of the last closed second, in seconds since 1970.",
      kind: "gauge",
      read: async () => timestamp(market.latest()?.secondMs ?? null),
    },
    drydock_gap_seconds_total: {
      help: "Seconds of the world that were not closed in time, by cause.",
      kind: "counter",
      labels: ["cause"],
      read: async () => {
        const { rows } = await sql<{ cause: string; seconds: bigint }>`
          select cause, (sum(to_ms - from_ms) / 1000)::bigint as seconds
          from market_gap group by cause`.execute(db);
        return gapCauses.map((cause) => ({
          labels: { cause },
          value: Number(rows.find((row) => row.cause === cause)?.seconds ?? 0n),
        }));
      },
    },
  };
}
