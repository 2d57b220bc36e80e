import { sql } from "kysely";
import type { Db, Tx } from "#server/platform/db/database.ts";

/** A class, which is open until its link is closed or expires. */
export interface OpenClass {
  classId: string;
  expiresAtMs: number;
  /** People who can join: the limit of the class link. */
  limit: number;
  /** The person whose key encrypts its codes. */
  byUserId: string;
  labelEncrypted: Buffer;
}

interface Row {
  class_id: string;
  expires_at_ms: bigint;
  joined_max: number;
  by_user_id: string;
  label_encrypted: Buffer;
}

/**
 * The class if it is open. `lock` locks its link for the transaction, so that it can neither end
 * nor fill up concurrently.
 */
export async function readOpenClass(
  from: Db | Tx,
  classId: string,
  nowMs: number,
  lock: "lock" | null = null,
): Promise<OpenClass | null> {
  const { rows } = await sql<Row>`
    select class_id, expires_at_ms, joined_max, by_user_id, label_encrypted from class_link
    where class_id = ${classId} and closed_at_ms is null and expires_at_ms > ${nowMs}
    ${lock ? sql`for update` : sql``}`.execute(from);
  const [row] = rows;
  if (!row) return null;
  return {
    classId: row.class_id,
    expiresAtMs: Number(row.expires_at_ms),
    limit: row.joined_max,
    byUserId: row.by_user_id,
    labelEncrypted: row.label_encrypted,
  };
}

/** Places not taken by a code or by someone who joined through the link. */
export async function countPlacesLeft(
  from: Db | Tx,
  { classId, limit }: OpenClass,
): Promise<number> {
  const { rows } = await sql<{ taken: bigint }>`
    select class_places_taken(${classId}) as taken`.execute(from);
  return Math.max(0, limit - Number(rows[0]!.taken));
}

/** Deletes codes, tasks, backups and looks of these classes, with the people in each look. */
export async function removeClasses(db: Db | Tx, classIds: readonly string[]): Promise<void> {
  await sql`delete from class_look where class_id = any(${classIds}::uuid[])`.execute(db);
  await sql`delete from class_wallet where class_id = any(${classIds}::uuid[])`.execute(db);
  await sql`delete from class_task_done where class_id = any(${classIds}::uuid[])`.execute(db);
  await sql`delete from class_tasks where class_id = any(${classIds}::uuid[])`.execute(db);
  await sql`delete from class_code where class_id = any(${classIds}::uuid[])`.execute(db);
}

/** Ended classes that still have rows. */
export async function listEnded(db: Db, nowMs: number): Promise<string[]> {
  const { rows } = await sql<{ class_id: string }>`
    select class_id from class_link l
    where (closed_at_ms is not null or expires_at_ms <= ${nowMs}) and (
      exists (select from class_code c where c.class_id = l.class_id)
      or exists (select from class_tasks t where t.class_id = l.class_id)
      or exists (select from class_task_done d where d.class_id = l.class_id)
      or exists (select from class_look k where k.class_id = l.class_id))`.execute(db);
  return rows.map((row) => row.class_id);
}
