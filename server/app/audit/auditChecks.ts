import { reconcileAddresses } from "#server/addresses/reconciliation.ts";
import { reconcileAttempts } from "#server/attempts/reconciliation.ts";
import { reconcileContracts } from "#server/contracts/reconciliation.ts";
import { reconcileExchanges } from "#server/exchange/reconciliation.ts";
import { reconcileHosting } from "#server/hosting/audit/reconciliation.ts";
import { reconcileInvites } from "#server/invites/reconciliation.ts";
import type { AuditCheck } from "#server/ledger/audit/audit.ts";
import { createKindCheck } from "#server/ledger/audit/kindCheck.ts";
import { reconcileLiabilities } from "#server/liabilities/reconciliation.ts";
import { createMarketDayCheck } from "#server/market/dayCheck.ts";
import { reconcileMarket } from "#server/market/reconciliation.ts";
import { reconcileLeases } from "#server/mining/leaseCheck.ts";
import { reconcileMining } from "#server/mining/reconciliation.ts";
import { checkStock } from "#server/mining/stockCheck.ts";
import { reconcilePublications } from "#server/operator/audit/publishingCheck.ts";
import { reconcileSwitches } from "#server/operator/audit/switchCheck.ts";
import { reconcileRecharges } from "#server/recharge/reconciliation.ts";
import { reconcileSends } from "#server/send/reconciliation.ts";
import { createLogCheck } from "#server/transparency-log/logCheck.ts";
import { createPublicationCheck } from "#server/transparency-log/publicationCheck.ts";
import { createAllTermsCheck, createTermsCheck } from "#server/transparency-log/termsCheck.ts";
import { reconcileWithdrawals } from "#server/withdraw/reconciliation.ts";
import { createReferenceCheck } from "./referenceCheck.ts";
import { createSingletonCheck } from "./singletonCheck.ts";

/** Every kind of journal; each is compared by the check of its domain. */
const journalKinds = [
  "attempt.start",
  "contract.open",
  "contract.settle",
  "exchange.execute",
  "hosting.ask",
  "hosting.redeem",
  "hosting.return",
  "hosting.seed",
  "hosting.subscribe",
  "hosting.trade",
  "mining.lease",
  "mining.payout",
  "mining.refund",
  "recharge.credit",
  "reward.invitation",
  "send.move",
  "withdraw.cancel",
  "withdraw.leave",
  "withdraw.place",
];
/** The prefixes of limit rows' keys; `until` is a quota of a stretch of days. */
const limitKinds = [
  "contracts.exposure",
  "contracts.loss",
  "hosting.asked",
  "invites.rewarded",
  "mining.stock",
  "until",
];

/**
 * The checks that `npm run audit` adds to those of the ledger: rows read by screens and settlement
 * are compared with the log and the ledger, which contain the same facts. Each reads whole tables,
 * so a running instance leaves most of them out of its regular audit.
 */
export function createAuditChecks(world: string): Readonly<Record<string, AuditCheck>> {
  return {
    addresses: reconcileAddresses(world),
    attempts: reconcileAttempts,
    contracts: reconcileContracts,
    contractTerms: createTermsCheck("contract_terms"),
    exchange: reconcileExchanges(world),
    hosting: reconcileHosting,
    hostingTerms: createTermsCheck("hosting_terms"),
    invites: reconcileInvites,
    kinds: createKindCheck(journalKinds, limitKinds),
    liabilities: reconcileLiabilities(world),
    log: createLogCheck(world),
    market: reconcileMarket(world),
    marketDays: createMarketDayCheck(world),
    mining: reconcileMining(world),
    miningLeases: reconcileLeases,
    miningStock: checkStock,
    miningTerms: createTermsCheck("mining_terms"),
    publications: createPublicationCheck(world),
    publishing: reconcilePublications,
    recharge: reconcileRecharges(world),
    send: reconcileSends(world),
    references: createReferenceCheck,
    singletons: createSingletonCheck,
    switches: reconcileSwitches(world),
    terms: createAllTermsCheck,
    withdraw: reconcileWithdrawals,
  };
}
