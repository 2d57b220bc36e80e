import { sql } from "kysely";
import type { AnswerOf } from "#api/call.ts";
import type { getInviteInfo, getTeamList } from "#api/invites.ts";
import {
  type InviteAnswer,
  type InviteFate,
  inviteAnswers,
  inviteCoin,
  inviteReward,
  nameMax,
  parseShownName,
  rewardedMax,
} from "#core/invites/rules.ts";
import { coinScale } from "#core/money/coins.ts";
import { formatDecimal } from "#core/money/decimal.ts";
import { createClassLinks } from "#server/invites/classLinks.ts";
import { readClassId, readClassMembers } from "#server/invites/classMembers.ts";
import { getInviteCode } from "#server/invites/codes.ts";
import { explainRewards } from "#server/invites/explain.ts";
import { decideLateOutcome, isAdmitted, joinByCode } from "#server/invites/join.ts";
import { type InvitesDeps, rewardDueInvitations } from "#server/invites/reward.ts";
import {
  getRewardState,
  type InvitationRow,
  readOwn,
  readTeam,
  readTotals,
} from "#server/invites/store.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { type Paging, parseCursor, toPage } from "#server/platform/http/pagination.ts";
import type { Job } from "#server/platform/jobs.ts";

/** How often undecided rewards are retried, in real seconds. */
const sweepSeconds = 60;

const units = (minor: bigint) => formatDecimal(minor, coinScale(inviteCoin));

/**
 * Invitations: codes, who joined by them, and the reward after the first lesson
 * (docs/rules/invites.md). Who invited a person is private: the answer is encrypted under the key
 * of the person who gave it, never counted and shown to no one else, since it could harm them if
 * the sender saw it.
 */
export function createInvites(ctx: AppContext, deps: InvitesDeps) {
  const {
    database: { db },
    realClock,
    fieldEncryption,
  } = ctx;
  const classes = {
    ...createClassLinks(ctx, deps.classes),
    members: (classId: string) => readClassMembers(db, classId),
    classOf: (userId: string) => readClassId(db, userId),
  };
  const readInvites = async (userId: string) => {
    const row = await readOwn(db, userId);
    if (!row) throw new ApiError("invites.not_invited");
    return row;
  };
  return {
    jobs: [
      {
        name: "invites.rewards",
        everySeconds: sweepSeconds,
        run: () => rewardDueInvitations(ctx, deps),
      },
    ] satisfies readonly Job[],
    classes,
    /** Runs in the transaction that creates an account. */
    join: (tx: Tx, params: { userId: string; code: string; atMs: number }): Promise<InviteFate> =>
      joinByCode(tx, deps.classes, params),
    admits: (tx: Tx, code: string, atMs: number) => isAdmitted(tx, deps.classes, code, atMs),
    lateOutcome: (userId: string, code: string) => decideLateOutcome(db, userId, code),
    info: async (userId: string): Promise<AnswerOf<typeof getInviteInfo>> => {
      const [code, totals, row] = await Promise.all([
        getInviteCode(db, { userId }, realClock.nowMs()),
        readTotals(db, userId),
        readOwn(db, userId),
      ]);
      return {
        code,
        reward: { coin: inviteCoin, amount: units(inviteReward), maximum: rewardedMax },
        ...totals,
        rewarded_amount: units(inviteReward * BigInt(totals.rewarded)),
        invited: row && (await toInvitedView(ctx, row)),
      };
    },
    team: async (userId: string, paging: Paging): Promise<AnswerOf<typeof getTeamList>> => {
      const before = Number(parseCursor(paging.before) ?? realClock.nowMs());
      const rows = await readTeam(db, userId, { ...paging, before });
      const items = await Promise.all(
        rows.slice(0, paging.page_size).map(async (row) => {
          const reward = getRewardState(row);
          return {
            invitation_id: row.invitation_id,
            joined_at_ms: Number(row.joined_at_ms),
            name: await fieldEncryption.decryptText(row.user_id, row.name_encrypted),
            lesson_finished: row.lesson_at_ms !== null,
            reward,
            rewarded_amount: units(reward === "rewarded" ? inviteReward : 0n),
          };
        }),
      );
      return { ...toPage(paging, rows, before), items, before: String(before) };
    },
    answer: async (userId: string, answer: InviteAnswer) => {
      await readInvites(userId);
      const answerEncrypted = await fieldEncryption.encrypt(userId, answer);
      await sql`
        update invitation set answer_encrypted = ${answerEncrypted}, answered_at_ms = ${realClock.nowMs()}
        where user_id = ${userId}`.execute(db);
      return { answer };
    },
    setName: async (userId: string, nameText: string) => {
      const result = parseShownName(nameText);
      if (!result.ok) {
        if (result.error === "controls") throw new ApiError("invites.name_unreadable");
        throw new ApiError("invites.name_too_long", { maximum: nameMax });
      }
      await readInvites(userId);
      const nameEncrypted =
        result.name === null ? null : await fieldEncryption.encrypt(userId, result.name);
      await sql`update invitation set name_encrypted = ${nameEncrypted} where user_id = ${userId}`.execute(
        db,
      );
      return { name: result.name };
    },
    /** Hooks of the lesson: records it in the lesson's transaction, then rewards. */
    afterLesson: {
      inTransaction: async (tx: Tx, userId: string, atMs: number) => {
        await sql`
          update invitation set lesson_at_ms = ${atMs} where user_id = ${userId} and lesson_at_ms is null`.execute(
          tx,
        );
      },
      afterCommit: async (userId: string) => void (await rewardDueInvitations(ctx, deps, userId)),
    },
    rewardDue: () => rewardDueInvitations(ctx, deps),
    explain: (journalIds: string[]) => explainRewards(db, journalIds),
    exportFor: async (userId: string) => {
      const [totals, row, codes] = await Promise.all([
        readTotals(db, userId),
        readOwn(db, userId),
        sql<{ code: string }>`select code from invite_code where user_id = ${userId}`.execute(db),
      ]);
      const invitation = row && (await toInvitedView(ctx, row));
      return { json: { code: codes.rows[0]?.code ?? null, ...totals, invited: invitation } };
    },
    /**
     * Keeps the row of a person who joined, for the inviter's count, without any reference or text.
     */
    erase: async (userId: string) => {
      await db.transaction().execute(async (tx) => {
        await sql`delete from invite_code where user_id = ${userId}`.execute(tx);
        await sql`update invitation set inviter_id = null where inviter_id = ${userId}`.execute(tx);
        await sql`
          update invitation set name_encrypted = null, answer_encrypted = null, answered_at_ms = null
          where user_id = ${userId}`.execute(tx);
      });
    },
  };
}
export type Invites = ReturnType<typeof createInvites>;

async function toInvitedView(
  { fieldEncryption }: Pick<AppContext, "fieldEncryption">,
  row: InvitationRow,
) {
  const [name, text] = await Promise.all([
    fieldEncryption.decryptText(row.user_id, row.name_encrypted),
    fieldEncryption.decryptText(row.user_id, row.answer_encrypted),
  ]);
  const answer = inviteAnswers.find((inviteAnswer) => inviteAnswer === text) ?? null;
  const invitedBy = row.inviter_id ? "person" : row.class_id ? "class" : "left";
  return {
    joined_at_ms: Number(row.joined_at_ms),
    by: invitedBy as "person" | "class" | "left",
    answer,
    name,
    lesson_finished: row.lesson_at_ms !== null,
    reward: getRewardState(row),
  };
}
