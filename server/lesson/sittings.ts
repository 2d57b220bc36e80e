import { randomInt, randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { AnswerOf } from "#api/call.ts";
import type { beginSitting, getSittings, saveSitting } from "#api/lesson.ts";
import { findCurrentOffer, nextOfferAtMs, type OfferDays } from "#core/lesson/offers.ts";
import {
  addAnswers,
  drawSitting,
  parseSitting,
  type SittingItem,
  scoreSitting,
  writeSitting,
} from "#core/lesson/sittings.ts";
import { dayStartMs } from "#core/money/time.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";
import { type Db, lockKey, type Tx } from "#server/platform/db/database.ts";

/** Maximum sittings begun per person and real day, and maximum listed. */
const dayMax = 20;
const listMax = 100;

interface Row {
  sitting_id: string;
  begun_at_ms: bigint;
  items_encrypted: Buffer;
  finished_at_ms: bigint | null;
  hits: number | null;
  false_alarms: number | null;
}

type Result = NonNullable<AnswerOf<typeof saveSitting>["result"]>;

export interface Sittings {
  state(userId: string): Promise<AnswerOf<typeof getSittings>>;
  /**
   * Returns the unfinished sitting, or a new one. Throws `lesson.too_many` from the 21st of a real
   * day on.
   */
  begin(userId: string): Promise<AnswerOf<typeof beginSitting>>;
  /** Adds answers, and finishes the sitting with the tenth. Safe to repeat. */
  save(
    userId: string,
    sittingId: string,
    answers: readonly SittingItem[],
  ): Promise<AnswerOf<typeof saveSitting>>;
  /** The sitting offered now; null when none is. */
  due(userId: string): Promise<OfferDays | null>;
  /** Filters people to those who have finished a sitting. */
  finishedBy(userIds: readonly string[]): Promise<string[]>;
  exportFor(userId: string): Promise<unknown[]>;
  erase(userId: string): Promise<void>;
}

/** Sittings of ten items, half of them honest (docs/rules/help.md, "Sittings"). Real time. */
export function createSittings(ctx: AppContext): Sittings {
  const {
    database: { db, schema },
    realClock,
    fieldEncryption,
  } = ctx;
  const toItems = async (userId: string, row: Row): Promise<SittingItem[] | null> => {
    const text = await fieldEncryption.decryptText(userId, row.items_encrypted);
    return text === null ? null : parseSitting(text);
  };
  const encrypt = (userId: string, items: readonly SittingItem[]) =>
    fieldEncryption.encrypt(userId, writeSitting(items));
  /** Serialised per person: one sitting is open at a time, and answers are added one by one. */
  const withLock = <T>(userId: string, act: (tx: Tx) => Promise<T>): Promise<T> =>
    db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(${lockKey(schema, `sitting/${userId}`)})`.execute(tx);
      return act(tx);
    });
  const offer = async (userId: string) => {
    const times = await readTimes(db, userId);
    return { times, offered: times && findCurrentOffer(times, realClock.nowMs()) };
  };
  return {
    state: async (userId) => {
      const [rows, { times, offered }] = await Promise.all([readRows(db, userId), offer(userId)]);
      return {
        sittings: rows
          .flatMap((row) => getResult(row) ?? [])
          .reverse()
          .slice(0, listMax),
        first_at_ms: times?.firstAtMs ?? null,
        offered: offered && (String(offered) as `${OfferDays}`),
        next_offer_at_ms: times && nextOfferAtMs(times.firstAtMs, realClock.nowMs()),
      };
    },
    begin: (userId) =>
      withLock(userId, async (tx) => {
        const sittings = await readRows(tx, userId);
        const open = sittings.find((row) => row.finished_at_ms === null);
        const items = open && (await toItems(userId, open));
        if (open && items) return { sitting_id: open.sitting_id, items };
        // An open sitting with an item that is no longer in the bank could never be finished.
        if (open)
          await sql`delete from lesson_sitting where sitting_id = ${open.sitting_id}`.execute(tx);
        const rows = sittings.filter((row) => row !== open);
        const nowMs = realClock.nowMs();
        const today = rows.filter((row) => Number(row.begun_at_ms) >= dayStartMs(nowMs));
        if (today.length >= dayMax) throw new ApiError("lesson.too_many", { maximum: dayMax });
        const earlierSittings = await Promise.all(rows.map((row) => toItems(userId, row)));
        const seenItems = earlierSittings.flatMap((list) => list ?? []).map(({ item }) => item);
        const newItems = drawSitting(seenItems, (end) => randomInt(end)).map((item) => ({
          item,
          answer: null,
        }));
        const sittingId = randomUUID();
        await sql`
          insert into lesson_sitting (sitting_id, user_id, begun_at_ms, items_encrypted)
          values (${sittingId}, ${userId}, ${nowMs}, ${await encrypt(userId, newItems)})`.execute(
          tx,
        );
        return { sitting_id: sittingId, items: newItems };
      }),
    save: (userId, sittingId, answers) =>
      withLock(userId, async (tx) => {
        const rows = await readRows(tx, userId);
        const row = rows.find((row) => row.sitting_id === sittingId);
        if (!row) throw new ApiError("request.malformed", { field: "sitting_id" });
        const before = await toItems(userId, row);
        const knownItems = new Set(before?.map(({ item }) => item));
        if (!before || !answers.every(({ item }) => knownItems.has(item)))
          throw new ApiError("request.malformed", { field: "answers" });
        if (row.finished_at_ms !== null) return { result: getResult(row) };
        const items = addAnswers(before, answers);
        const score = scoreSitting(items);
        const { rows: updated } = await sql<Row>`
          update lesson_sitting set items_encrypted = ${await encrypt(userId, items)},
            finished_at_ms = ${score && realClock.nowMs()}, hits = ${score?.hits ?? null},
            false_alarms = ${score?.falseAlarms ?? null}
          where sitting_id = ${sittingId} returning *`.execute(tx);
        return { result: getResult(updated[0]!) };
      }),
    due: async (userId) => (await offer(userId)).offered,
    finishedBy: async (userIds) => {
      const { rows } = await sql<{ user_id: string }>`
        select distinct user_id from lesson_sitting
        where user_id = any(${userIds}::text[]) and finished_at_ms is not null`.execute(db);
      return rows.map((row) => row.user_id);
    },
    exportFor: async (userId) => {
      const rows = await readRows(db, userId);
      return Promise.all(
        rows.map(async (row) => ({
          begun_at_ms: Number(row.begun_at_ms),
          result: getResult(row),
          items: await toItems(userId, row),
        })),
      );
    },
    erase: async (userId) => {
      await sql`delete from lesson_sitting where user_id = ${userId}`.execute(db);
    },
  };
}

function getResult({ finished_at_ms: atMs, hits, false_alarms: alarms }: Row): Result | null {
  if (atMs === null || hits === null || alarms === null) return null;
  return { finished_at_ms: Number(atMs), hits, false_alarms: alarms };
}

/** All sittings of a person, oldest first. */
async function readRows(db: Db | Tx, userId: string): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select * from lesson_sitting where user_id = ${userId}
    order by sequence`.execute(db);
  return rows;
}

/** When the person first finished a lesson or a sitting, and their last sitting. */
async function readTimes(db: Db, userId: string) {
  const { rows } = await sql<{ first: bigint | null; last: bigint | null }>`
    select least(min(s.finished_at_ms),
        (select min(finished_at_ms) from lesson_run where user_id = ${userId})) as first,
      max(s.finished_at_ms) as last
    from lesson_sitting s where s.user_id = ${userId}`.execute(db);
  const { first, last } = rows[0]!;
  return first === null ? null : { firstAtMs: Number(first), lastAtMs: Number(last ?? first) };
}
