import { type AuditDeps, createAudit } from "#server/ledger/audit/audit.ts";
import { createAuditHealth, ledgerJobs } from "#server/ledger/jobs.ts";
import { createLedger } from "#server/ledger/ledger.ts";
import { ledgerMetrics } from "#server/ledger/metrics.ts";
import { defineModule } from "#server/module/module.ts";

export const ledgerModule = defineModule<AuditDeps>()({
  name: "ledger",
  needs: ["contributions"],
  create: (ctx, deps) => {
    const service = createLedger(ctx);
    const audit = createAudit(ctx, deps);
    return {
      service,
      routes: null,
      jobs: ledgerJobs(ctx, audit),
      personalData: null,
      health: { ledger: createAuditHealth(audit) },
      metrics: ledgerMetrics(audit),
      // Writes pending postings first.
      stop: () => service.stop(),
    };
  },
});
