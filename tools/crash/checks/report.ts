import { createAudit } from "#server/ledger/audit/audit.ts";
import type { Database } from "#server/platform/db/database.ts";
import type { MixName } from "../change.ts";
import { checkConsole } from "./console.ts";
import { checkJournals } from "./journals.ts";
import { checkOrders } from "./orders.ts";
import type { CrashReport, Expectation } from "./types.ts";

/** Compares the database with what clients had acknowledged. */
export async function checkAll(
  database: Database,
  world: string,
  mixes: readonly MixName[],
  expectation: Expectation,
): Promise<CrashReport> {
  const report: CrashReport = {
    losses: [],
    duplicates: [],
    imbalances: [],
    indefinite: { existing: 0, absent: 0 },
    lateAnswers: 0,
    outcomes: {},
  };
  const { findings } = await createAudit({ database, world: { name: world } }).run({
    complete: true,
  });
  report.imbalances.push(...findings.map(({ check, detail }) => `${check}: ${detail}`));
  if (mixes.includes("orders") || mixes.includes("money"))
    await checkJournals(database, expectation, report);
  if (mixes.includes("orders"))
    await checkOrders(database, expectation.record, expectation.traders, report);
  if (mixes.includes("console")) await checkConsole(database, expectation, report);
  return report;
}
