import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { isUuid } from "#core/ledger/uuid.ts";
import { dayMs } from "#core/money/time.ts";
import type { Role } from "#core/operator/permissions.ts";
import { parseViewCode, type ViewedSection, viewingMs } from "#core/operator/viewing.ts";
import {
  deleteCode,
  makeCode as makeCodeOf,
  readCodeExpiry,
  redeemCode,
} from "#server/operator/people/codes.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Db, Tx } from "#server/platform/db/database.ts";
import { createRateLimit } from "#server/platform/http/limits/rateLimit.ts";
import type { Operator } from "#server/platform/http/operator.ts";
import type { Job } from "#server/platform/jobs.ts";

declare module "#server/platform/bus/bus.ts" {
  interface BusEvents {
    /**
     * A viewing of a person's pages with their code began or ended: the real time at which the last
     * open one ends; null if none is open.
     */
    "viewing.changed": { userId: string; untilMs: number | null };
  }
}

export interface Viewing {
  viewingId: string;
  userId: string;
  role: Role;
  openedAtMs: number;
  endsAtMs: number;
  parts: readonly string[];
}

interface Row {
  viewing_id: string;
  user_id: string;
  role: Role;
  opened_at_ms: bigint;
  ends_at_ms: bigint;
  parts: string[];
}

/**
 * How long a viewing that is over stays in the person's export, in real time. Their records keep it
 * for good.
 */
const retentionMs = 30 * dayMs;
const getViewing = (row: Row): Viewing => ({
  viewingId: row.viewing_id,
  userId: row.user_id,
  role: row.role,
  openedAtMs: Number(row.opened_at_ms),
  endsAtMs: Number(row.ends_at_ms),
  parts: row.parts,
});

/** A person's pages, opened to one operator by the code that the person read out. Real time. */
export function createViewings(ctx: AppContext) {
  const {
    database: { db },
    realClock,
    fieldEncryption,
    bus,
  } = ctx;
  // Eight letters are 36 bits: a code is not guessed in its lifetime.
  const tries = createRateLimit({ perSecond: 0.1, burst: 10 }, realClock);
  const purge = async () => {
    const nowMs = realClock.nowMs();
    await sql`delete from person_code where expires_at_ms <= ${nowMs}`.execute(db);
    await sql`delete from person_viewing where ends_at_ms < ${nowMs - retentionMs}`.execute(db);
  };
  const getOpen = (from: Db | Tx, userId: string) => listOpen(from, userId, realClock.nowMs());
  const readUntil = async (userId: string): Promise<number | null> => {
    const open = await getOpen(db, userId);
    return open.length > 0 ? Math.max(...open.map(({ endsAtMs }) => endsAtMs)) : null;
  };
  // Serialised, so that the last notification carries the last state read.
  let notifying: Promise<void> = Promise.resolve();
  /** Sends the current state to the person's open pages. */
  const notify = (userId: string) => {
    notifying = notifying
      .then(async () =>
        bus.publish("viewing.changed", { userId, untilMs: await readUntil(userId) }),
      )
      .catch((error: unknown) => ctx.logger.error({ err: error }, "viewing notification failed"));
  };
  return {
    jobs: [{ name: "people.purge", everySeconds: 600, run: purge }] satisfies readonly Job[],
    makeCode: (userId: string) => makeCodeOf(db, fieldEncryption, userId, realClock.nowMs()),
    /** For the person's own page. */
    of: async (userId: string) => ({
      open: await getOpen(db, userId),
      codeUntilMs: await readCodeExpiry(db, userId, realClock.nowMs()),
    }),
    until: readUntil,
    notify,
    /**
     * Uses up a code. Throws `people.code_unknown` if no such code is valid now, for any reason.
     */
    open: async (tx: Tx, operator: Operator, codeText: string): Promise<Viewing> => {
      tries.require(operator.operatorId);
      const nowMs = realClock.nowMs();
      const code = parseViewCode(codeText);
      const userId = code === null ? null : await redeemCode(tx, fieldEncryption, code, nowMs);
      if (userId === null) throw new ApiError("people.code_unknown");
      const { rows } = await sql<Row>`
        insert into person_viewing (viewing_id, user_id, operator_id, role, opened_at_ms, ends_at_ms)
        values (${randomUUID()}, ${userId}, ${operator.operatorId}, ${operator.role}, ${nowMs}, ${nowMs + viewingMs})
        returning *`.execute(tx);
      return getViewing(rows[0]!);
    },
    /**
     * An open viewing of this operator. Throws `people.viewing_over`, also if it is another
     * operator's.
     */
    require: async (
      operator: Operator,
      viewingId: string,
      from: Db | Tx = db,
    ): Promise<Viewing> => {
      if (!isUuid(viewingId)) throw new ApiError("people.viewing_over");
      const { rows } = await sql<Row>`
        select * from person_viewing where viewing_id = ${viewingId} and operator_id = ${operator.operatorId}
          and ended_at_ms is null and ends_at_ms > ${realClock.nowMs()}`.execute(from);
      if (!rows[0]) throw new ApiError("people.viewing_over");
      return getViewing(rows[0]);
    },
    recordOpened: async ({ viewingId }: Viewing, part: ViewedSection): Promise<void> => {
      await sql`
        update person_viewing set parts = array_append(parts, ${part})
        where viewing_id = ${viewingId} and not ${part} = any(parts)`.execute(db);
    },
    close: async (tx: Tx, { viewingId }: Viewing): Promise<void> => {
      await sql`
        update person_viewing set ended_at_ms = coalesce(ended_at_ms, ${realClock.nowMs()})
        where viewing_id = ${viewingId}`.execute(tx);
    },
    /** Ends all of a person's viewings, and an unused code; returns how many were open. */
    endAll: async (userId: string): Promise<number> => {
      const nowMs = realClock.nowMs();
      await deleteCode(db, userId);
      const { rows } = await sql`
        update person_viewing set ended_at_ms = ${nowMs}
        where user_id = ${userId} and ended_at_ms is null and ends_at_ms > ${nowMs} returning viewing_id`.execute(
        db,
      );
      notify(userId);
      return rows.length;
    },
    exportFor: async (userId: string) => {
      const { rows } = await sql<Row & { ended_at_ms: bigint | null }>`
        select * from person_viewing where user_id = ${userId} order by opened_at_ms, viewing_id`.execute(
        db,
      );
      const viewings = rows.map((row) => ({
        role: row.role,
        opened_at_ms: Number(row.opened_at_ms),
        ended_at_ms: Number(row.ended_at_ms ?? row.ends_at_ms),
        parts: row.parts,
      }));
      return { json: { viewings } };
    },
    erase: async (userId: string): Promise<void> => {
      await deleteCode(db, userId);
      await sql`delete from person_viewing where user_id = ${userId}`.execute(db);
    },
  };
}
export type Viewings = ReturnType<typeof createViewings>;

async function listOpen(from: Db | Tx, userId: string, nowMs: number): Promise<Viewing[]> {
  const { rows } = await sql<Row>`
    select * from person_viewing
    where user_id = ${userId} and ended_at_ms is null and ends_at_ms > ${nowMs}
    order by opened_at_ms desc, viewing_id`.execute(from);
  return rows.map(getViewing);
}
