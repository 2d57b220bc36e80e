import {
  timestamp,
  toSingleValue,
  type WorldMetrics,
} from "#server/platform/metrics/worldMetrics.ts";
import type { TransparencyLog } from "#server/transparency-log/transparencyLog.ts";

/** The public log and the witnesses of its policy. */
export function logMetrics(
  log: Pick<TransparencyLog, "checkpoint" | "count" | "lagMs" | "witnesses">,
): WorldMetrics {
  return {
    drydock_log_leaves: {
      help: "Leaves of the public log.",
      kind: "gauge",
      read: async () => toSingleValue(await log.count()),
    },
    drydock_log_size: {
      help: "Leaves that the last signed checkpoint covers.",
      kind: "gauge",
      read: async () => toSingleValue((await log.checkpoint())?.size ?? null),
    },
    drydock_log_checkpoint_timestamp_seconds: {
      help: "When the last checkpoint was signed, in seconds since 1970.",
      kind: "gauge",
      read: async () => timestamp((await log.checkpoint())?.atMs ?? null),
    },
    drydock_log_lag_seconds: {
      help: "How long the oldest leaf without a checkpoint has waited; 0 if there is none.",
      kind: "gauge",
      read: async () => toSingleValue((await log.lagMs()) / 1_000),
    },
    drydock_witness_cosigned_timestamp_seconds: {
      help: "When each witness of the policy cosigned last, in seconds since 1970; 0 if never.",
      kind: "gauge",
      labels: ["witness"],
      read: async () =>
        (await log.witnesses.standings()).map(({ name, atMs }) => ({
          labels: { witness: name },
          value: (atMs ?? 0) / 1_000,
        })),
    },
  };
}
