import { createAudit } from "#server/ledger/audit/audit.ts";
import type { Database } from "#server/platform/db/database.ts";
import type { MixName } from "../change.ts";
import type { ExpectedVersions } from "../mixes/console.ts";
import type { Acknowledged } from "../record.ts";
import { checkConsole } from "./console.ts";
import { checkJournals } from "./journals.ts";
import { checkOrders } from "./orders.ts";

export interface Verdict {
  /** Sentences, one per difference. */
  lost: string[];
  duplicated: string[];
  unbalanced: string[];
  /** Changes whose request was never answered; whether they exist is determined here. */
  indefinite: { stand: number; doNot: number };
  /** Orders acknowledged on a retry, although an earlier request had been accepted. */
  answeredLate: number;
  outcomes: Record<string, number>;
}

export interface Expectation {
  record: readonly Acknowledged[];
  /** Keys that were never answered. */
  open: ReadonlyMap<string, { userId: string; kind: string }>;
  /** Users whose only changes are orders. */
  traders: readonly string[];
  /** Versions that each publication should have. */
  expected: ExpectedVersions;
  /** Keys of operators' calls that only elevated a session. */
  ownKeys: ReadonlySet<string>;
  owner: string | null;
}

/** Compares the database with what clients were told. */
export async function checkAll(
  database: Database,
  world: string,
  mixes: readonly MixName[],
  told: Expectation,
): Promise<Verdict> {
  const verdict: Verdict = {
    lost: [],
    duplicated: [],
    unbalanced: [],
    indefinite: { stand: 0, doNot: 0 },
    answeredLate: 0,
    outcomes: {},
  };
  const { findings } = await createAudit({ database, world: { name: world } }).run({
    complete: true,
  });
  verdict.unbalanced.push(...findings.map(({ check, detail }) => `${check}: ${detail}`));
  if (mixes.includes("orders") || mixes.includes("money"))
    await checkJournals(database, told, verdict);
  if (mixes.includes("orders")) await checkOrders(database, told.record, told.traders, verdict);
  if (mixes.includes("console")) await checkConsole(database, told, verdict);
  return verdict;
}
