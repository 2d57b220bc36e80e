import type { Audit } from "#server/ledger/audit/audit.ts";
import {
  timestamp,
  toSingleValue,
  type WorldMetrics,
} from "#server/platform/metrics/worldMetrics.ts";

/** Metrics of the ledger's last audit. */
export function ledgerMetrics(audit: Pick<Audit, "latest">): WorldMetrics {
  return {
    drydock_audit_timestamp_seconds: {
      help: "When the ledger was last audited, in seconds since 1970.",
      kind: "gauge",
      read: async () => timestamp((await audit.latest())?.createdAtMs ?? null),
    },
    drydock_audit_findings: {
      help: "Differences that the last audit found.",
      kind: "gauge",
      read: async () => toSingleValue((await audit.latest())?.findings.length ?? null),
    },
  };
}
