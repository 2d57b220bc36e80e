import { sql } from "kysely";
import { isUuid } from "#core/ledger/uuid.ts";
import { type BackupState, createWalletBackups } from "#server/classes/backups.ts";
import { createClassCodes } from "#server/classes/codes.ts";
import { createLooks } from "#server/classes/looks.ts";
import {
  countPlacesLeft,
  listEnded,
  type OpenClass,
  readOpenClass,
  removeClasses,
} from "#server/classes/store.ts";
import { createClassTasks, type DoneTasks } from "#server/classes/tasks.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Db, Tx } from "#server/platform/db/database.ts";
import type { Job } from "#server/platform/jobs.ts";

export interface ClassesDeps {
  contributions: { readonly classTasks: readonly DoneTasks[] };
}

/** A person's place in a class that is open. */
export interface Membership {
  classId: string;
  /** Null for a person who joined by the class link. */
  number: number | null;
  expiresAtMs: number;
  backup: BackupState;
}

/** How often data of ended classes is deleted, in real seconds. */
const purgeSeconds = 600;

/**
 * Codes, tasks, backups and room views of classes (docs/rules/classes.md). Everything here ends
 * with its class: when its link is closed, or within ten minutes after it expired.
 */
export function createClasses(ctx: AppContext, { contributions }: ClassesDeps) {
  const {
    database: { db },
    realClock,
    fieldEncryption,
  } = ctx;
  const codes = createClassCodes(ctx);
  const backups = createWalletBackups(ctx);
  const tasks = createClassTasks(ctx, contributions);
  const purge = async () => {
    const endedIds = await listEnded(db, realClock.nowMs());
    if (endedIds.length > 0) await db.transaction().execute((tx) => removeClasses(tx, endedIds));
  };
  return {
    codes,
    backups,
    tasks,
    looks: createLooks(ctx),
    jobs: [
      { name: "classes.purge", everySeconds: purgeSeconds, run: purge },
    ] satisfies readonly Job[],
    /** Throws `class.link_unknown` if the class does not exist or is over. */
    requireOpen: async (classId: string, from: Db | Tx = db): Promise<OpenClass> => {
      const openClass = isUuid(classId)
        ? await readOpenClass(from, classId, realClock.nowMs())
        : null;
      if (!openClass) throw new ApiError("class.link_unknown");
      return openClass;
    },
    placesLeft: (openClass: OpenClass): Promise<number> => countPlacesLeft(db, openClass),
    labelOf: ({ byUserId, labelEncrypted }: OpenClass) =>
      fieldEncryption.decryptText(byUserId, labelEncrypted),
    /** Runs in the transaction that closes a class link. */
    end: (tx: Tx, classId: string): Promise<void> => removeClasses(tx, [classId]),
    /** The open class that a person joined last. */
    membership: async (userId: string): Promise<Membership | null> => {
      const nowMs = realClock.nowMs();
      const { rows } = await sql<{
        class_id: string;
        number: number | null;
        expires_at_ms: bigint;
      }>`
        select l.class_id, m.number, l.expires_at_ms from (
          select class_id, number, joined_at_ms from class_code where user_id = ${userId}
          union all
          select class_id, null, joined_at_ms from invitation
          where user_id = ${userId} and class_id is not null) m join class_link l using (class_id)
        where l.closed_at_ms is null and l.expires_at_ms > ${nowMs}
        order by m.joined_at_ms desc, m.number nulls last limit 1`.execute(db);
      const [row] = rows;
      if (!row) return null;
      const { class_id: classId, number } = row;
      return {
        classId,
        number,
        expiresAtMs: Number(row.expires_at_ms),
        backup: number === null ? "none" : await backups.state({ classId, number }),
      };
    },
    exportFor: async (userId: string) => {
      const [joinedRows, reported] = await Promise.all([
        sql<{ class_id: string; number: number; joined_at_ms: bigint; backup_set: bigint | null }>`
          select c.class_id, c.number, c.joined_at_ms, w.set_at_ms as backup_set
          from class_code c left join class_wallet w using (class_id, number)
          where c.user_id = ${userId} order by c.joined_at_ms, c.class_id`.execute(db),
        sql<{ class_id: string; task: string; at_ms: bigint }>`
          select class_id, task, at_ms from class_task_done
          where user_id = ${userId} order by at_ms, class_id, task`.execute(db),
      ]);
      return { json: { joined: joinedRows.rows, reported_tasks: reported.rows } };
    },
    /** Records that the code was used, so that it admits no one else. */
    erase: async (userId: string): Promise<void> => {
      await db.transaction().execute(async (tx) => {
        await sql`delete from class_wallet where user_id = ${userId}`.execute(tx);
        await sql`delete from class_task_done where user_id = ${userId}`.execute(tx);
        await sql`delete from class_look_person where user_id = ${userId}`.execute(tx);
        await sql`update class_code set user_id = null where user_id = ${userId}`.execute(tx);
      });
    },
  };
}
export type Classes = ReturnType<typeof createClasses>;
