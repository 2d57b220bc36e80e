import { sql } from "kysely";
import {
  inviteCoin,
  inviteReward,
  rewardedMax,
  rewardKind,
  walletDays,
} from "#core/invites/rules.ts";
import { deriveJournalId, hashBody } from "#core/ledger/ids.ts";
import { coinScale } from "#core/money/coins.ts";
import { formatDecimal } from "#core/money/decimal.ts";
import { toRealDay } from "#core/money/time.ts";
import { quotaKey } from "#server/ledger/quotas.ts";
import type { Journal, Ledger, LimitDelta } from "#server/ledger/types.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Tx } from "#server/platform/db/database.ts";

/** One-use codes of classes, which join people as invite codes do. */
export interface ClassesOfInvites {
  codes: {
    /** Throws `class.*` if the code admits no one. */
    find(text: string, from: Tx): Promise<{ classId: string; isUsed: boolean }>;
    join(
      tx: Tx,
      params: { text: string; userId: string; atMs: number },
    ): Promise<{ classId: string }>;
  };
  /** Deletes what ends with a class. */
  end(tx: Tx, classId: string): Promise<void>;
}

export interface InvitesDeps {
  ledger: Ledger;
  addresses: {
    /**
     * Locks and returns people's current attempts by user id; they stay current until the
     * transaction ends.
     */
    lockCurrentAttempts(tx: Tx, userIds: string[]): Promise<Map<string, string>>;
  };
  classes: ClassesOfInvites;
}

/** Invitations decided per run. */
const batchSize = 200;
const triesMax = 5;

interface DueReward {
  invitation_id: string;
  user_id: string;
  inviter_id: string;
}

/**
 * Key of the ledger's limit row that counts a person's rewarded invitations. It outlives erasure.
 */
const limitKey = (inviterId: string) => `invites.rewarded:${inviterId}`;

/** The rewards that the wallets may still receive in this stretch of days. */
async function walletLimits(
  ledger: Ledger,
  reward: DueReward,
  realMs: number,
): Promise<LimitDelta[]> {
  const lastDay = (Math.floor(toRealDay(realMs) / walletDays) + 1) * walletDays - 1;
  const [invitedQuotaId, inviter] = await Promise.all([
    ledger.quotaId(reward.user_id),
    ledger.quotaId(reward.inviter_id),
  ]);
  return [
    { key: quotaKey("invites.joined", invitedQuotaId, lastDay), delta: 1n, cap: 1n },
    { key: quotaKey("invites.rewarded", inviter, lastDay), delta: 1n, cap: BigInt(rewardedMax) },
  ];
}

/**
 * Decides every invitation whose lesson is finished (with `userId`, only that person's); returns
 * how many. Any process may run it at any time. A limit row of the ledger, changed in the posting
 * statement, counts the ten: counting invitation rows would not do, because they go when an invited
 * account is deleted, and two concurrent lessons could both be the tenth. From the eleventh on
 * neither side is paid, a rule that fits in one sentence.
 */
export async function rewardDueInvitations(
  ctx: AppContext,
  invitesDeps: InvitesDeps,
  userId?: string,
): Promise<number> {
  const { rows } = await sql<DueReward>`
    select invitation_id, user_id, inviter_id from invitation
    where outcome is null and lesson_at_ms is not null and inviter_id is not null
      and (${userId ?? null}::text is null or user_id = ${userId ?? null})
    order by lesson_at_ms limit ${batchSize}`.execute(ctx.database.db);
  let decidedCount = 0;
  for (const reward of rows) {
    try {
      if (await rewardOne(ctx, invitesDeps, reward)) decidedCount += 1;
    } catch (error) {
      ctx.logger.error(
        { err: error, invitation: reward.invitation_id },
        "a reward could not be decided; will be retried",
      );
    }
  }
  return decidedCount;
}

/**
 * Pays both in one journal, each in their current attempt. True when this call decided the
 * invitation.
 */
async function rewardOne(
  ctx: AppContext,
  { ledger, ...deps }: InvitesDeps,
  reward: DueReward,
): Promise<boolean> {
  const people = [reward.user_id, reward.inviter_id];
  const { db } = ctx.database;
  let attempts = await db
    .transaction()
    .execute((tx) => deps.addresses.lockCurrentAttempts(tx, people));
  const issuance = await ledger.account("house", "issuance", inviteCoin);
  const limits = await walletLimits(ledger, reward, ctx.realClock.nowMs());
  for (let attempt = 1; attempt <= triesMax; attempt += 1) {
    if (people.some((person) => !attempts.has(person))) return false;
    const wallets = await Promise.all(
      people.map((userId) =>
        ledger.account({ userId, attemptId: attempts.get(userId)! }, "wallet", inviteCoin),
      ),
    );
    const journal = rewardJournal(ledger.world, reward, { issuance, wallets, limits });
    const isRewarded = await ledger.transact(async (tx) => {
      const current = await deps.addresses.lockCurrentAttempts(tx, people);
      // One of them has started over: retry with the new attempt.
      if (people.some((person) => current.get(person) !== attempts.get(person))) return current;
      if (!(await lockUndecided(tx, reward))) return "before";
      const [postResult] = await ledger.postIn(tx, [journal], ctx.clock.nowMs());
      const { outcome } = postResult!;
      if (outcome !== "posted" && outcome !== "limit_full")
        throw new Error(`a reward did not post: ${outcome}`);
      await writeOutcome(tx, reward, {
        journalId: outcome === "posted" ? journal.id : null,
        atMs: ctx.realClock.nowMs(),
      });
      return "decided";
    });
    if (typeof isRewarded === "string") return isRewarded === "decided";
    attempts = isRewarded;
  }
  return false;
}

function rewardJournal(
  world: string,
  { user_id: userId, inviter_id: inviterId }: DueReward,
  { issuance, wallets, limits }: { issuance: bigint; wallets: bigint[]; limits: LimitDelta[] },
): Journal {
  return {
    id: deriveJournalId(rewardKind, userId),
    kind: rewardKind,
    bodyHash: hashBody(world, rewardKind, {
      invited: userId,
      inviter: inviterId,
      coin: inviteCoin,
      amount: formatDecimal(inviteReward, coinScale(inviteCoin)),
    }),
    legs: [
      ...wallets.map((account) => ({ account, amount: inviteReward })),
      { account: issuance, amount: -inviteReward * BigInt(wallets.length) },
    ],
    limits: [{ key: limitKey(inviterId), delta: 1n, cap: BigInt(rewardedMax) }, ...limits],
  };
}

/** Locks the invitation; false if it was decided or the inviter left in the meantime. */
async function lockUndecided(tx: Tx, reward: DueReward): Promise<boolean> {
  const { rows } = await sql`
    select from invitation where invitation_id = ${reward.invitation_id} and outcome is null and inviter_id = ${reward.inviter_id}
    for update`.execute(tx);
  return rows.length > 0;
}

async function writeOutcome(
  tx: Tx,
  reward: DueReward,
  { journalId, atMs }: { journalId: string | null; atMs: number },
): Promise<void> {
  const outcome = journalId === null ? "over_limit" : "rewarded";
  await sql`
    update invitation set outcome = ${outcome}, decided_at_ms = ${atMs}, journal_id = ${journalId}
    where invitation_id = ${reward.invitation_id}`.execute(tx);
}
