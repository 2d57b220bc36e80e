import type { InstanceView } from "#api/operator/instance.ts";

/** Good: fine; warning: needs attention; bad: wrong. */
export type Severity = "good" | "warning" | "bad";

/** Clocks of two processes may differ by less; a log further ahead was written by a wrong clock. */
export const aheadMaxMs = 2_000;

/**
 * Feed and log may lag by ten seconds (docs/rules/market.md); from half of that it needs attention.
 */
export function getLagSeverity(lagMs: number | null): Severity {
  if (lagMs === null || lagMs > 10_000 || lagMs < -aheadMaxMs) return "bad";
  return lagMs > 5_000 ? "warning" : "good";
}

/** Any missing second needs attention; one in a hundred is wrong. */
export function getGapsSeverity({
  expected,
  missing,
}: InstanceView["market"]["gaps"]["hour"]): Severity {
  if (missing === 0) return "good";
  return missing * 100 >= expected ? "bad" : "warning";
}

export function listUnbalancedCoins({
  trial,
}: InstanceView["ledger"]): InstanceView["ledger"]["trial"] {
  return trial.filter(({ total }) => !/^-?0(\.0+)?$/.test(total));
}

export function getLedgerSeverity(ledger: InstanceView["ledger"]): Severity {
  if (listUnbalancedCoins(ledger).length > 0 || (ledger.audit?.findings.length ?? 0) > 0)
    return "bad";
  return ledger.audit ? "good" : "warning";
}

export function getJobsSeverity(jobs: InstanceView["jobs"]): Severity {
  if (jobs.some(({ state }) => state === "failing")) return "bad";
  return jobs.some(({ state }) => state === "late") ? "warning" : "good";
}

/**
 * Less than a tenth free needs attention, less than a twentieth is wrong. Null: the disk could not
 * be queried.
 */
export function getDiskSeverity({
  disk_free_bytes: free,
  disk_total_bytes: total,
}: InstanceView["storage"]): Severity | null {
  if (free === null || total === null || total === 0) return null;
  if (free / total < 0.05) return "bad";
  return free / total < 0.1 ? "warning" : "good";
}

/** A venue is fine while it quotes every symbol it lists. */
export function getVenueSeverity({
  listed,
  fresh,
}: Pick<InstanceView["market"]["venues"][number], "listed" | "fresh">): Severity {
  if (fresh >= listed) return "good";
  return fresh === 0 ? "bad" : "warning";
}
