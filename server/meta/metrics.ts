import type { Health } from "#server/meta/health.ts";
import { toSingleValue, type WorldMetrics } from "#server/platform/metrics/worldMetrics.ts";

/** The state at `/api/health`, as numbers. */
export function healthMetrics(readCurrent: () => Promise<Health>): WorldMetrics {
  return {
    drydock_ready: {
      help: "Whether this process is ready, as /api/health says: 1 or 0.",
      kind: "gauge",
      read: async () => toSingleValue((await readCurrent()).ready ? 1 : 0),
    },
    drydock_part_ok: {
      help: "Whether each part is well, as /api/health says: 1 or 0.",
      kind: "gauge",
      labels: ["part"],
      read: async () =>
        Object.entries((await readCurrent()).parts).map(([part, { ok }]) => ({
          labels: { part },
          value: ok ? 1 : 0,
        })),
    },
  };
}
