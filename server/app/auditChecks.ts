import { reconcileContracts } from "#server/contracts/reconciliation.ts";
import { reconcileExchanges } from "#server/exchange/reconciliation.ts";
import type { AuditCheck } from "#server/ledger/audit/audit.ts";
import { reconcileLiabilities } from "#server/liabilities/reconciliation.ts";
import { reconcileMarket } from "#server/market/reconciliation.ts";
import { reconcileMining } from "#server/mining/reconciliation.ts";
import { checkStock } from "#server/mining/stockCheck.ts";
import { reconcileSends } from "#server/send/reconciliation.ts";
import { termsCheck } from "#server/transparency-log/termsCheck.ts";
import { reconcileWithdrawals } from "#server/withdraw/reconciliation.ts";

/**
 * The checks that `npm run audit` adds to those of the ledger: rows that screens and settlement
 * read against the log and the ledger, which both say the same. Each reads whole tables, so a
 * running instance leaves most of them out of its regular audit.
 */
export function auditChecks(world: string): Readonly<Record<string, AuditCheck>> {
  return {
    contracts: reconcileContracts,
    contractTerms: termsCheck("contract_terms"),
    exchange: reconcileExchanges,
    hostingTerms: termsCheck("hosting_terms"),
    liabilities: reconcileLiabilities(world),
    market: reconcileMarket(world),
    mining: reconcileMining(world),
    miningStock: checkStock,
    miningTerms: termsCheck("mining_terms"),
    send: reconcileSends,
    withdraw: reconcileWithdrawals,
  };
}
