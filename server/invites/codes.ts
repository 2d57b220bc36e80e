import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { writeCode } from "#core/invites/code.ts";
import type { Db, Tx } from "#server/platform/db/database.ts";

export type CodeOwner = { userId: string } | { classId: string };

function newCode(): string {
  for (;;) {
    const code = writeCode(randomBytes(64));
    if (code) return code;
  }
}

/** The code of a person or a class, created on first use. Concurrent callers get the same one. */
export async function getInviteCode(db: Db | Tx, owner: CodeOwner, atMs: number): Promise<string> {
  const userId = "userId" in owner ? owner.userId : null;
  const classId = "classId" in owner ? owner.classId : null;
  for (;;) {
    const { rows } = await sql<{ code: string }>`
      select code from invite_code
      where (${userId}::text is not null and user_id = ${userId}) or (${classId}::uuid is not null and class_id = ${classId})`.execute(
      db,
    );
    if (rows[0]) return rows[0].code;
    await sql`
      insert into invite_code (code, user_id, class_id, created_at_ms)
      values (${newCode()}, ${userId}, ${classId}, ${atMs}) on conflict do nothing`.execute(db);
  }
}
