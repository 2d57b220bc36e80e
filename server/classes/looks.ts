import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { roomViewMs } from "#core/classes/limits.ts";
import { isUuid } from "#core/ledger/uuid.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Tx } from "#server/platform/db/database.ts";

/** A room view that an operator opened. Real time. */
interface Look {
  lookId: string;
  classId: string;
  endsAtMs: number;
}

/** Pupils whom a look shows: they joined by a code, and their records name the look. */
export interface Looks {
  /**
   * Opens a look for an hour, and returns the pupils now in the class, whom the caller must notify.
   */
  open(tx: Tx, classId: string, operatorId: string): Promise<{ look: Look; userIds: string[] }>;
  /** An open look of this operator at a class that is open; throws `class.look_over`. */
  require(lookId: string, operatorId: string): Promise<Look>;
  /** People who joined since and have not been notified of this look yet. */
  unnotified(look: Look): Promise<string[]>;
  recordNotified(look: Look, userId: string): Promise<void>;
  /** People who were notified of this look, by the number of their code. */
  notified(look: Look): Promise<Map<number, string>>;
  /** Everyone who joined by a code and still has an account, by the code's number. */
  members(classId: string): Promise<Map<number, string>>;
}

interface Row {
  look_id: string;
  class_id: string;
  ends_at_ms: bigint;
}

export function createLooks({
  database: { db },
  realClock,
}: Pick<AppContext, "database" | "realClock">): Looks {
  const lookOf = (row: Row): Look => ({
    lookId: row.look_id,
    classId: row.class_id,
    endsAtMs: Number(row.ends_at_ms),
  });
  return {
    open: async (tx, classId, operatorId) => {
      const nowMs = realClock.nowMs();
      const { rows } = await sql<Row>`
        insert into class_look (look_id, class_id, operator_id, opened_at_ms, ends_at_ms)
        values (${randomUUID()}, ${classId}, ${operatorId}, ${nowMs}, ${nowMs + roomViewMs})
        returning *`.execute(tx);
      const openedLook = lookOf(rows[0]!);
      const notified = await sql<{ user_id: string }>`
        insert into class_look_person (look_id, user_id)
        select ${openedLook.lookId}, user_id from class_code
        where class_id = ${classId} and user_id is not null returning user_id`.execute(tx);
      return { look: openedLook, userIds: notified.rows.map((row) => row.user_id) };
    },
    require: async (lookId, operatorId) => {
      const nowMs = realClock.nowMs();
      const { rows } = isUuid(lookId)
        ? await sql<Row>`
            select k.* from class_look k join class_link l using (class_id)
            where k.look_id = ${lookId} and k.operator_id = ${operatorId}
              and k.ends_at_ms > ${nowMs} and l.closed_at_ms is null and l.expires_at_ms > ${nowMs}`.execute(
            db,
          )
        : { rows: [] };
      if (!rows[0]) throw new ApiError("class.look_over");
      return lookOf(rows[0]);
    },
    unnotified: async ({ lookId, classId }) => {
      const { rows } = await sql<{ user_id: string }>`
        select user_id from class_code where class_id = ${classId} and user_id is not null
        except select user_id from class_look_person where look_id = ${lookId}`.execute(db);
      return rows.map((row) => row.user_id);
    },
    recordNotified: async ({ lookId }, userId) => {
      await sql`
        insert into class_look_person (look_id, user_id) values (${lookId}, ${userId})
        on conflict do nothing`.execute(db);
    },
    notified: async ({ lookId, classId }) => {
      const { rows } = await sql<{ number: number; user_id: string }>`
        select c.number, c.user_id from class_code c join class_look_person p using (user_id)
        where c.class_id = ${classId} and p.look_id = ${lookId}`.execute(db);
      return new Map(rows.map((row) => [row.number, row.user_id]));
    },
    members: async (classId) => {
      const { rows } = await sql<{ number: number; user_id: string }>`
        select number, user_id from class_code
        where class_id = ${classId} and user_id is not null`.execute(db);
      return new Map(rows.map((row) => [row.number, row.user_id]));
    },
  };
}
