import { contractRowCheck } from "#server/contracts/rowCheck.ts";
import { exchangeRowCheck } from "#server/exchange/rowCheck.ts";
import type { AuditCheck } from "#server/ledger/audit/audit.ts";
import { liabilityRowCheck } from "#server/liabilities/rowCheck.ts";
import { marketRowCheck } from "#server/market/rowCheck.ts";
import { miningRowCheck } from "#server/mining/rowCheck.ts";
import { checkStock } from "#server/mining/stockCheck.ts";
import { sendRowCheck } from "#server/send/rowCheck.ts";
import { termsCheck } from "#server/transparency-log/termsCheck.ts";
import { withdrawRowCheck } from "#server/withdraw/rowCheck.ts";

/**
 * The checks that `npm run audit` adds to those of the ledger: rows that screens and settlement
 * read against the log and the ledger, which both say the same. Each reads whole tables, so a
 * running instance leaves most of them out of its regular audit.
 */
export function auditChecks(world: string): Readonly<Record<string, AuditCheck>> {
  return {
    contracts: contractRowCheck,
    contractTerms: termsCheck("contract_terms"),
    exchange: exchangeRowCheck,
    hostingTerms: termsCheck("hosting_terms"),
    liabilities: liabilityRowCheck(world),
    market: marketRowCheck(world),
    mining: miningRowCheck(world),
    miningStock: checkStock,
    miningTerms: termsCheck("mining_terms"),
    send: sendRowCheck,
    withdraw: withdrawRowCheck,
  };
}
