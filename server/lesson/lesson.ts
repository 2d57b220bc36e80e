import { sql } from "kysely";
import type { AnswerOf } from "#api/call.ts";
import type { getLesson } from "#api/lesson.ts";
import {
  type Answers,
  countRight,
  parseAnswers,
  sceneNames,
  writeAnswers,
} from "#core/lesson/scenes.ts";
import { dayStartMs } from "#core/money/time.ts";
import { createSittings, type Sittings } from "#server/lesson/sittings.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";
import { type Db, lockKey, type Tx } from "#server/platform/db/database.ts";

/** Maximum finished lessons stored per person and real day, and maximum listed. */
const dayMax = 20;
const listMax = 100;

interface LessonRun {
  finished_at_ms: number;
  sound: number;
}

/**
 * Hooks of other domains: writes in the transaction that stores a finished lesson, and work after
 * its commit.
 */
interface LessonHooks {
  inTransaction(tx: Tx, userId: string, atMs: number): Promise<void>;
  afterCommit(userId: string): Promise<void>;
}

export interface LessonDeps {
  invites: { afterLesson: LessonHooks };
}

export interface Lessons {
  state(userId: string): Promise<AnswerOf<typeof getLesson>>;
  /**
   * Stores a run once, however often it is sent. Throws `lesson.too_many` from the 21st of a real
   * day on.
   */
  finish(userId: string, runId: string, answers: Answers): Promise<LessonRun>;
  /** Returns true if this person ever finished the lesson. */
  finished(userId: string): Promise<boolean>;
  sittings: Sittings;
  exportFor: (userId: string) => Promise<{ json: unknown }>;
  erase: (userId: string) => Promise<void>;
}

interface Row {
  run_id: string;
  user_id: string;
  finished_at_ms: bigint;
  answers_encrypted: Buffer;
  sound: number;
}

/**
 * The first lesson on the server: who finished it and when (docs/rules/invites.md), and the
 * sittings that follow it.
 */
export function createLesson(ctx: AppContext, { invites }: LessonDeps): Lessons {
  const {
    database: { db, schema },
    realClock,
    fieldEncryption,
    logger,
  } = ctx;
  const sittings = createSittings(ctx);
  return {
    state: async (userId) => {
      const rows = await readRuns(db, userId, listMax);
      return { scenes: sceneNames.length, runs: rows.map(toView) };
    },
    finish: async (userId, runId, answers) => {
      const nowMs = realClock.nowMs();
      const answersEncrypted = await fieldEncryption.encrypt(userId, writeAnswers(answers));
      const stored = await db.transaction().execute(async (tx) => {
        // Serialised per person, so that two concurrent runs cannot both be the twentieth.
        await sql`select pg_advisory_xact_lock(${lockKey(schema, `lesson/${userId}`)})`.execute(tx);
        const before = await readRun(tx, userId, runId);
        if (before) return { row: before, fresh: false };
        await requireDailyQuota(tx, userId, nowMs);
        const { rows } = await sql<Row>`
          insert into lesson_run (run_id, user_id, finished_at_ms, answers_encrypted, sound)
          values (${runId}, ${userId}, ${nowMs}, ${answersEncrypted}, ${countRight(answers)})
          on conflict do nothing returning *`.execute(tx);
        // The run id is already another person's.
        if (!rows[0]) throw new ApiError("request.malformed", { field: "run_id" });
        await invites.afterLesson.inTransaction(tx, userId, nowMs);
        return { row: rows[0], fresh: true };
      });
      // A failure here is retried by the job: the lesson is stored and is returned.
      await invites.afterLesson.afterCommit(userId).catch((error: unknown) => {
        logger.error({ err: error }, "the hook after a lesson failed; a job will retry it");
      });
      return toView(stored.row);
    },
    finished: async (userId) => (await readRuns(db, userId, 1)).length > 0,
    sittings,
    exportFor: async (userId) => {
      const rows = await readRuns(db, userId);
      const runs = await Promise.all(
        rows.map(async (row) => {
          const text = await fieldEncryption.decryptText(userId, row.answers_encrypted);
          return { ...toView(row), answers: text === null ? null : parseAnswers(text) };
        }),
      );
      return { json: { runs, sittings: await sittings.exportFor(userId) } };
    },
    erase: async (userId) => {
      await sittings.erase(userId);
      await sql`delete from lesson_run where user_id = ${userId}`.execute(db);
    },
  };
}

function toView({ finished_at_ms: atMs, sound }: Row): LessonRun {
  return { finished_at_ms: Number(atMs), sound };
}

/** Newest first; all of them if no limit is given. */
async function readRuns(db: Db, userId: string, limit: number | null = null): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select * from lesson_run where user_id = ${userId} order by finished_at_ms desc, run_id limit ${limit}`.execute(
    db,
  );
  return rows;
}

async function readRun(tx: Tx, userId: string, runId: string): Promise<Row | null> {
  const { rows } = await sql<Row>`
    select * from lesson_run where user_id = ${userId} and run_id = ${runId}`.execute(tx);
  return rows[0] ?? null;
}

async function requireDailyQuota(tx: Tx, userId: string, nowMs: number): Promise<void> {
  const from = dayStartMs(nowMs);
  const { rows } = await sql<{ count: bigint }>`
    select count(*) as count from lesson_run where user_id = ${userId} and finished_at_ms >= ${from}`.execute(
    tx,
  );
  if (Number(rows[0]!.count) >= dayMax) throw new ApiError("lesson.too_many", { maximum: dayMax });
}
