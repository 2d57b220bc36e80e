import { sql } from "kysely";
import { deriveJournalId, hashBody } from "#core/ledger/ids.ts";
import { coinScale } from "#core/money/coins.ts";
import { formatDecimal } from "#core/money/decimal.ts";
import { toRealDay } from "#core/money/time.ts";
import { decideRecharge, rechargeDayCap } from "#core/recharge/recharge.ts";
import { computeWorth, valuedBy } from "#core/wallet/valuation.ts";
import { readLimitUsed } from "#server/ledger/limits.ts";
import { quotaKey } from "#server/ledger/quotas.ts";
import type { Journal, Ledger } from "#server/ledger/types.ts";
import type { Market } from "#server/market/market.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Tx } from "#server/platform/db/database.ts";
import {
  lockUndecided,
  lockVoucher,
  type RechargeRow,
  readDue,
  writeDecision,
} from "#server/recharge/store.ts";

/**
 * The kind of the journal that credits a recharge. Its id derives from the voucher's, so that no
 * voucher is credited twice.
 */
const creditKind = "recharge.credit";

/** Recharges decided per batch. */
const batchSize = 500;

/** The ledger's limit row for a person's credits in a real day. */
export const dayKey = (quotaId: string, day: number) => quotaKey("recharge.day", quotaId, day);

export interface ReviewDeps {
  ledger: Ledger;
  market: Pick<Market, "latest">;
}

/**
 * Decides every recharge that is due; returns how many. Any number of processes may do so
 * concurrently: each decision holds the row's lock, and decision, posting and the voucher's mark
 * are one transaction.
 */
export async function reviewDue(ctx: AppContext, deps: ReviewDeps): Promise<number> {
  const due = await readDue(ctx.database.db, ctx.clock.nowMs(), batchSize);
  let decidedCount = 0;
  for (const row of due) {
    try {
      if (await reviewOne(ctx, deps, row)) decidedCount += 1;
    } catch (error) {
      ctx.logger.error({ err: error, recharge: row.id }, "recharge not decided");
    }
  }
  return decidedCount;
}

/** True if this call decided it. Without an index its value is unknown, and it waits. */
async function reviewOne(ctx: AppContext, deps: ReviewDeps, row: RechargeRow): Promise<boolean> {
  const { ledger, market } = deps;
  const symbol = valuedBy[row.coin];
  const index = symbol === null ? null : (market.latest()?.index[symbol] ?? null);
  const worth = computeWorth(row.coin, row.amount, index);
  if (worth === null) return false;
  const owner = { userId: row.user_id, attemptId: row.attempt_id };
  const [wallet, issuance, quotaId] = await Promise.all([
    ledger.account(owner, "wallet", row.coin),
    ledger.account("house", "issuance", row.coin),
    ledger.quotaId(row.user_id),
  ]);
  const key = dayKey(quotaId, toRealDay(ctx.realClock.nowMs()));
  const journal = getCredit(ledger.world, row, { wallet, issuance, key, worth });
  const outcome = await ledger.transact((tx) =>
    decide(tx, ctx, { ledger, row, journal, key, worth }),
  );
  return outcome !== null;
}

interface Credit {
  wallet: bigint;
  issuance: bigint;
  key: string;
  worth: bigint;
}

function getCredit(world: string, row: RechargeRow, credit: Credit): Journal {
  const { wallet, issuance, key, worth } = credit;
  return {
    id: deriveJournalId(creditKind, row.voucher_id),
    kind: creditKind,
    bodyHash: hashBody(world, creditKind, {
      user: row.user_id,
      attempt: row.attempt_id,
      recharge: row.id,
      coin: row.coin,
      amount: formatDecimal(row.amount, coinScale(row.coin)),
    }),
    legs: [
      { account: wallet, amount: row.amount },
      { account: issuance, amount: -row.amount },
    ],
    limits: [{ key, delta: worth, cap: rechargeDayCap }],
    about: row.id,
  };
}

interface ReviewedRecharge {
  ledger: Ledger;
  row: RechargeRow;
  journal: Journal;
  key: string;
  worth: bigint;
}

async function decide(
  tx: Tx,
  { clock }: AppContext,
  { ledger, row, journal, key, worth }: ReviewedRecharge,
): Promise<"credited" | "refused" | null> {
  if (!(await lockUndecided(tx, row.id))) return null;
  const voucher = await lockVoucher(tx, row.voucher_id);
  if (!voucher) throw new Error("a recharge refers to a voucher that does not exist");
  const nowMs = clock.nowMs();
  const rechargeDecision = decideRecharge({
    form: { coin: row.coin, network: row.network, amount: row.amount },
    voucher: {
      claims: {
        world: ledger.world,
        id: row.voucher_id,
        coin: row.read_coin,
        network: row.read_network,
        amount: row.read_amount,
        expiresAtMs: Number(row.read_expires_at_ms),
      },
      macValid: row.mac_valid,
    },
    usedAtMs: voucher.used_at_ms === null ? null : Number(voucher.used_at_ms),
    sentAtMs: Number(row.accepted_at_ms),
    worth,
    dayUsed: await readLimitUsed(tx, key),
  });
  const ending = { worth, overAtMs: nowMs };
  const refuse = async (reason: Parameters<typeof writeDecision>[2]["reason"]) => {
    await writeDecision(tx, row.id, { ...ending, outcome: "refused", reason, journalId: null });
    return "refused" as const;
  };
  if (!rechargeDecision.ok) return refuse(rechargeDecision.reason);
  const [postResult] = await ledger.postIn(tx, [journal], nowMs);
  // Another recharge of this person was credited at the same moment and used up the limit.
  if (postResult!.outcome === "limit_full") return refuse("over_daily_limit");
  if (postResult!.outcome !== "posted") {
    throw new Error(`the recharge credit did not post: ${postResult!.outcome}`);
  }
  await sql`update voucher set used_at_ms = ${nowMs} where id = ${row.voucher_id}`.execute(tx);
  await writeDecision(tx, row.id, {
    ...ending,
    outcome: "credited",
    reason: null,
    journalId: journal.id,
  });
  return "credited";
}
