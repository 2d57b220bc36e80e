import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { dayMs } from "#core/money/time.ts";
import { getInviteCode } from "#server/invites/codes.ts";
import type { ClassesOfInvites } from "#server/invites/reward.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Db, Tx } from "#server/platform/db/database.ts";

interface ClassLink {
  classId: string;
  code: string;
  /** Null once the operator who wrote it deleted their account. */
  label: string | null;
  createdAtMs: number;
  expiresAtMs: number;
  closedAtMs: number | null;
  limit: number;
  joined: number;
  /** Number of people who joined and finished the first lesson. */
  finished: number;
}

interface ClassLinkParams {
  label: string;
  /** The user id of the operator. */
  byOperator: string;
  expiresAtMs: number;
  limit: number;
}

/**
 * Invite codes for classes and groups: they belong to no person, earn nothing, and only count who
 * joined. All times are real. Writes use the given transaction, otherwise their own.
 */
export interface ClassLinks {
  /**
   * `label`: 1 to 60 characters after trimming; `limit`: 1 to 500 people; `expiresAtMs`: in the
   * future, at most a year ahead. Throws a RangeError otherwise, because the caller's schema has
   * already checked this.
   */
  createClassLink(params: ClassLinkParams, tx?: Tx): Promise<ClassLink>;
  /** Newest first, at most 200. */
  listClassLinks(): Promise<ClassLink[]>;
  /**
   * Closes the link to new people and deletes what ends with the class; idempotent. False when
   * there is no such link.
   */
  closeClassLink(classId: string, tx?: Tx): Promise<boolean>;
}

const classLabelMax = 60;
const classLimitMax = 500;
const yearMs = 366 * dayMs;
const listMax = 200;

interface Row {
  class_id: string;
  code: string;
  label_encrypted: Buffer;
  by_user_id: string;
  created_at_ms: bigint;
  expires_at_ms: bigint;
  closed_at_ms: bigint | null;
  joined_max: number;
  joined: bigint;
  finished: bigint;
}

export function createClassLinks(
  {
    database: { db },
    realClock,
    fieldEncryption,
  }: Pick<AppContext, "database" | "realClock" | "fieldEncryption">,
  classes: Pick<ClassesOfInvites, "end">,
): ClassLinks {
  const list = async (classId: string | null, from: Db | Tx = db): Promise<ClassLink[]> => {
    const { rows } = await sql<Row>`
      select l.*, c.code, count(m.user_id) as joined, count(i.lesson_at_ms) as finished
      from class_link l join invite_code c using (class_id) left join class_member m using (class_id)
        left join invitation i on i.user_id = m.user_id
      where ${classId}::uuid is null or l.class_id = ${classId}
      group by l.class_id, c.code order by l.created_at_ms desc, l.class_id limit ${listMax}`.execute(
      from,
    );
    return Promise.all(
      rows.map(async (row) => ({
        classId: row.class_id,
        code: row.code,
        label: await fieldEncryption.decryptText(row.by_user_id, row.label_encrypted),
        createdAtMs: Number(row.created_at_ms),
        expiresAtMs: Number(row.expires_at_ms),
        closedAtMs: row.closed_at_ms === null ? null : Number(row.closed_at_ms),
        limit: row.joined_max,
        joined: Number(row.joined),
        finished: Number(row.finished),
      })),
    );
  };
  return {
    createClassLink: async ({ label: labelText, byOperator, expiresAtMs, limit }, outerTx) => {
      const label = labelText.trim();
      const nowMs = realClock.nowMs();
      const isValid =
        label !== "" &&
        Array.from(label).length <= classLabelMax &&
        Number.isInteger(limit) &&
        limit >= 1 &&
        limit <= classLimitMax &&
        expiresAtMs > nowMs &&
        expiresAtMs <= nowMs + yearMs;
      if (!isValid) throw new RangeError("invalid label, limit or expiry of a class link");
      const classId = randomUUID();
      const labelEncrypted = await fieldEncryption.encrypt(byOperator, label);
      const make = async (tx: Tx): Promise<ClassLink> => {
        await sql`
          insert into class_link (class_id, label_encrypted, by_user_id, created_at_ms, expires_at_ms, joined_max)
          values (${classId}, ${labelEncrypted}, ${byOperator}, ${nowMs}, ${expiresAtMs}, ${limit})`.execute(
          tx,
        );
        await getInviteCode(tx, { classId }, nowMs);
        return (await list(classId, tx))[0]!;
      };
      return outerTx ? await make(outerTx) : await db.transaction().execute(make);
    },
    listClassLinks: () => list(null),
    closeClassLink: async (classId, outerTx) => {
      const close = async (tx: Tx) => {
        const { rows } = await sql`
          update class_link set closed_at_ms = coalesce(closed_at_ms, ${realClock.nowMs()})
          where class_id = ${classId} returning class_id`.execute(tx);
        if (rows.length > 0) await classes.end(tx, classId);
        return rows.length > 0;
      };
      return outerTx ? await close(outerTx) : await db.transaction().execute(close);
    },
  };
}

/**
 * Returns true if the class link still admits people. Locks it until the transaction ends, so that
 * two people cannot both take the last place.
 */
export async function hasRoom(tx: Tx, classId: string, atMs: number): Promise<boolean> {
  const { rows } = await sql<{ open: boolean; joined_max: number }>`
    select closed_at_ms is null and expires_at_ms > ${atMs} as open, joined_max
    from class_link where class_id = ${classId} for update`.execute(tx);
  if (!rows[0]?.open) return false;
  const result = await sql<{ taken: bigint }>`
    select class_places_taken(${classId}) as taken`.execute(tx);
  return Number(result.rows[0]!.taken) < rows[0].joined_max;
}
