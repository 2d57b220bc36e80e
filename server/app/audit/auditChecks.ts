import { reconcileAddresses } from "#server/addresses/reconciliation.ts";
import { reconcileAttempts } from "#server/attempts/reconciliation.ts";
import { reconcileContracts } from "#server/contracts/reconciliation.ts";
import { reconcileExchanges } from "#server/exchange/reconciliation.ts";
import { reconcileHosting } from "#server/hosting/audit/reconciliation.ts";
import { reconcileInvites } from "#server/invites/reconciliation.ts";
import type { AuditCheck } from "#server/ledger/audit/audit.ts";
import { kindCheck } from "#server/ledger/audit/kindCheck.ts";
import { reconcileLiabilities } from "#server/liabilities/reconciliation.ts";
import { marketDayCheck } from "#server/market/dayCheck.ts";
import { reconcileMarket } from "#server/market/reconciliation.ts";
import { reconcileLeases } from "#server/mining/leaseCheck.ts";
import { reconcileMining } from "#server/mining/reconciliation.ts";
import { checkStock } from "#server/mining/stockCheck.ts";
import { reconcilePublications } from "#server/operator/audit/publishingCheck.ts";
import { reconcileSwitches } from "#server/operator/audit/switchCheck.ts";
import { reconcileRecharges } from "#server/recharge/reconciliation.ts";
import { reconcileSends } from "#server/send/reconciliation.ts";
import { logCheck } from "#server/transparency-log/logCheck.ts";
import { publicationCheck } from "#server/transparency-log/publicationCheck.ts";
import { everyTermsCheck, termsCheck } from "#server/transparency-log/termsCheck.ts";
import { reconcileWithdrawals } from "#server/withdraw/reconciliation.ts";
import { referenceCheck } from "./referenceCheck.ts";
import { singletonCheck } from "./singletonCheck.ts";

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
export function auditChecks(world: string): Readonly<Record<string, AuditCheck>> {
  return {
    addresses: reconcileAddresses(world),
    attempts: reconcileAttempts,
    contracts: reconcileContracts,
    contractTerms: termsCheck("contract_terms"),
    exchange: reconcileExchanges(world),
    hosting: reconcileHosting,
    hostingTerms: termsCheck("hosting_terms"),
    invites: reconcileInvites,
    kinds: kindCheck(journalKinds, limitKinds),
    liabilities: reconcileLiabilities(world),
    log: logCheck(world),
    market: reconcileMarket(world),
    marketDays: marketDayCheck(world),
    mining: reconcileMining(world),
    miningLeases: reconcileLeases,
    miningStock: checkStock,
    miningTerms: termsCheck("mining_terms"),
    publications: publicationCheck(world),
    publishing: reconcilePublications,
    recharge: reconcileRecharges(world),
    send: reconcileSends(world),
    references: referenceCheck,
    singletons: singletonCheck,
    switches: reconcileSwitches(world),
    terms: everyTermsCheck,
    withdraw: reconcileWithdrawals,
  };
}
