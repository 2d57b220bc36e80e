import { randomUUID } from "node:crypto";
import type { Answers } from "#core/lesson/scenes.ts";
import { correctChoices } from "#core/lesson/scenes.ts";
import { createInvites } from "#server/invites/invites.ts";
import type { InvitesDeps } from "#server/invites/reward.ts";
import { createLedger } from "#server/ledger/ledger.ts";
import { ApiError } from "#server/platform/apiError.ts";
import { createTestContext } from "#server/testing/testContext.ts";

/** A world in which no class has codes. */
const noClasses: InvitesDeps["classes"] = {
  codes: {
    find: async () => {
      throw new ApiError("class.code_unknown");
    },
    join: async () => {
      throw new ApiError("class.code_unknown");
    },
  },
  end: async () => {},
};

/** Invitations on a real ledger; `finish` has the effect of finishing the lesson. */
export async function createTestInvites() {
  const ctx = await createTestContext();
  const ledger = createLedger(ctx);
  const { pool } = ctx.owner;
  const lockCurrentAttempts: InvitesDeps["addresses"]["lockCurrentAttempts"] = async (
    _tx,
    userIds,
  ) => {
    const { rows } = await pool.query<{ user_id: string; attempt_id: string }>(
      "select distinct on (user_id) user_id, attempt_id from user_attempt where user_id = any($1) order by user_id, number desc",
      [userIds],
    );
    return new Map(rows.map((row) => [row.user_id, row.attempt_id]));
  };
  const invites = createInvites(ctx, {
    ledger,
    addresses: { lockCurrentAttempts },
    classes: noClasses,
  });
  ctx.jobs.add(invites.jobs);
  const db = ctx.database.db;
  const nowMs = () => ctx.realClock.nowMs();
  return {
    ctx,
    ledger,
    invites,
    answers: correctChoices as Answers,
    /** Creates an account, with this code if one is given; returns the code's fate. */
    person: async (code = "") => {
      const userId = randomUUID();
      await ctx.fieldEncryption.createKey(userId);
      return await db.transaction().execute(async (tx) => {
        await pool.query("insert into user_account (user_id, created_at_ms) values ($1, $2)", [
          userId,
          nowMs(),
        ]);
        await pool.query(
          "insert into user_attempt (attempt_id, user_id, number, opened_at_ms, opened_at_world_ms) values ($1, $2, 1, 0, 0)",
          [randomUUID(), userId],
        );
        const fate = code === "" ? "none" : await invites.join(tx, { userId, code, atMs: nowMs() });
        return { userId, fate };
      });
    },
    codeOf: async (userId: string) => (await invites.info(userId)).code,
    finish: async (userId: string) => {
      await db
        .transaction()
        .execute((tx) => invites.afterLesson.inTransaction(tx, userId, nowMs()));
      await invites.afterLesson.afterCommit(userId);
    },
    startOver: async (userId: string, number: number) => {
      const attemptId = randomUUID();
      await pool.query(
        "insert into user_attempt (attempt_id, user_id, number, opened_at_ms, opened_at_world_ms) values ($1, $2, $3, 0, 0)",
        [attemptId, userId, number],
      );
      return attemptId;
    },
    /** pUSDT in minor units, of the attempt with this number. */
    balance: async (userId: string, number = 1) => {
      const { rows } = await pool.query<{ attempt_id: string }>(
        "select attempt_id from user_attempt where user_id = $1 and number = $2",
        [userId, number],
      );
      const balances = await ledger.balances(rows[0]!.attempt_id);
      return balances.find(({ coin }) => coin === "pUSDT")!.available;
    },
    trial: async () => {
      const { rows } = await pool.query<{ total: bigint }>("select total from trial_balance");
      return rows.map(({ total }) => BigInt(total)).filter((total) => total !== 0n);
    },
    destroy: async () => {
      await ledger.stop();
      await ctx.destroy();
    },
  };
}
export type TestInvites = Awaited<ReturnType<typeof createTestInvites>>;
