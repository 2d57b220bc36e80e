import { attemptRowCheck } from "#server/attempts/rowCheck.ts";
import { contractRowCheck } from "#server/contracts/rowCheck.ts";
import { exchangeRowCheck } from "#server/exchange/rowCheck.ts";
import { hostingRowCheck } from "#server/hosting/audit/rowCheck.ts";
import { inviteRowCheck } from "#server/invites/rowCheck.ts";
import type { AuditCheck } from "#server/ledger/audit/audit.ts";
import { kindCheck } from "#server/ledger/audit/kindCheck.ts";
import { liabilityRowCheck } from "#server/liabilities/rowCheck.ts";
import { marketDayCheck } from "#server/market/dayCheck.ts";
import { marketRowCheck } from "#server/market/rowCheck.ts";
import { leaseRowCheck } from "#server/mining/leaseCheck.ts";
import { miningRowCheck } from "#server/mining/rowCheck.ts";
import { checkStock } from "#server/mining/stockCheck.ts";
import { rechargeRowCheck } from "#server/recharge/rowCheck.ts";
import { sendRowCheck } from "#server/send/rowCheck.ts";
import { logCheck } from "#server/transparency-log/logCheck.ts";
import { publicationCheck } from "#server/transparency-log/publicationCheck.ts";
import { everyTermsCheck, termsCheck } from "#server/transparency-log/termsCheck.ts";
import { withdrawRowCheck } from "#server/withdraw/rowCheck.ts";

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
/** What keys of limit rows begin with; `until` is a quota of a stretch of days. */
const limitKinds = [
  "contracts.exposure",
  "contracts.loss",
  "hosting.asked",
  "invites.rewarded",
  "mining.stock",
  "until",
];

/**
 * The checks that `npm run audit` adds to those of the ledger: rows that screens and settlement
 * read against the log and the ledger, which both say the same. Each reads whole tables, so a
 * running instance leaves most of them out of its regular audit.
 */
export function auditChecks(world: string): Readonly<Record<string, AuditCheck>> {
  return {
    attempts: attemptRowCheck,
    contracts: contractRowCheck,
    contractTerms: termsCheck("contract_terms"),
    exchange: exchangeRowCheck,
    hosting: hostingRowCheck,
    hostingTerms: termsCheck("hosting_terms"),
    invites: inviteRowCheck,
    kinds: kindCheck(journalKinds, limitKinds),
    liabilities: liabilityRowCheck(world),
    log: logCheck(world),
    market: marketRowCheck(world),
    marketDays: marketDayCheck(world),
    mining: miningRowCheck(world),
    miningLeases: leaseRowCheck,
    miningStock: checkStock,
    miningTerms: termsCheck("mining_terms"),
    publications: publicationCheck(world),
    recharge: rechargeRowCheck(world),
    send: sendRowCheck,
    terms: everyTermsCheck,
    withdraw: withdrawRowCheck,
  };
}
