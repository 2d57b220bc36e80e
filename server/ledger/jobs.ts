import { sql } from "kysely";
import { toRealDay } from "#core/money/time.ts";
import type { Audit } from "#server/ledger/audit/audit.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Job } from "#server/platform/jobs.ts";

/** Maximum journals per batch of the chain; a longer backlog takes several batches. */
const chainBatchMax = 20_000;

/** Chains newly posted journals, batch by batch; returns the number of entries chained. */
export async function chainPosted({ database }: Pick<AppContext, "database">): Promise<number> {
  let entries = 0;
  for (;;) {
    const { rows } = await sql<{ chained: bigint }>`
      select chain_entries(${chainBatchMax}) as chained`.execute(database.db);
    const chained = Number(rows[0]!.chained);
    if (chained === 0) return entries;
    entries += chained;
  }
}

/** Removes the limit rows of quotas whose days are over. */
export async function purgeQuotas({
  database,
  realClock,
}: Pick<AppContext, "database" | "realClock">): Promise<void> {
  await sql`select purge_limits(${toRealDay(realClock.nowMs())})`.execute(database.db);
}

/**
 * Registers the chain job (every second) and the audit job (every ten minutes; findings are logged
 * as an error), and the removal of quotas that are over.
 */
export function ledgerJobs(
  ctx: Pick<AppContext, "database" | "logger" | "realClock">,
  audit: Audit,
): readonly Job[] {
  const runAudit = async () => {
    const { findings, ...figures } = await audit.run();
    if (findings.length > 0)
      ctx.logger.error({ ...figures, findings }, "the ledger does not add up");
    else ctx.logger.info(figures, "the ledger adds up");
  };
  return [
    { name: "ledger.chain", everySeconds: 1, run: () => chainPosted(ctx) },
    { name: "ledger.audit", everySeconds: 600, run: runAudit },
    { name: "ledger.quotas", everySeconds: 1_800, run: () => purgeQuotas(ctx) },
  ];
}

/** The ledger's health: whether the last audit found that everything adds up. */
export function createAuditHealth(
  audit: Audit,
): () => Promise<{ ok: boolean; lag_ms: number | null; note: string }> {
  return async () => {
    const latest = await audit.latest();
    if (latest === null) return { ok: true, lag_ms: null, note: "not audited yet" };
    const count = latest.findings.length;
    return {
      ok: count === 0,
      lag_ms: null,
      note: count === 0 ? "adds up" : `the last audit found ${count} differences`,
    };
  };
}
