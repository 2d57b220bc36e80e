import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { parseClassCode, parseCode } from "#core/invites/code.ts";
import type { InviteFate } from "#core/invites/rules.ts";
import { hasRoom } from "#server/invites/classLinks.ts";
import type { ClassesOfInvites } from "#server/invites/reward.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { Db, Tx } from "#server/platform/db/database.ts";

interface CodeOwner {
  user_id: string | null;
  class_id: string | null;
}

async function findCode(from: Db | Tx, text: string): Promise<CodeOwner | null> {
  const code = parseCode(text);
  if (code === null) return null;
  const { rows } = await sql<CodeOwner>`
    select user_id, class_id from invite_code where code = ${code}`.execute(from);
  return rows[0] ?? null;
}

/**
 * Links an account being created in this transaction to the code's owner. A code that is unknown,
 * the person's own, or leads back to them is ignored and the fate says why; the sign-in continues.
 * A one-use code of a class that is closed or full throws `class.*` instead: its holder came for
 * the class.
 */
export async function joinByCode(
  tx: Tx,
  classes: ClassesOfInvites,
  { userId, code, atMs }: { userId: string; code: string; atMs: number },
): Promise<InviteFate> {
  if (parseClassCode(code) !== null) {
    const joinResult = await classes.codes.join(tx, { text: code, userId, atMs });
    await insertInvitation(tx, { userId, inviterId: null, classId: joinResult.classId, atMs });
    return "class";
  }
  const codeOwner = await findCode(tx, code);
  if (!codeOwner) return "unknown";
  const { user_id: inviterId, class_id: classId } = codeOwner;
  if (inviterId !== null && (await isCircular(tx, inviterId, userId))) return "own";
  if (classId !== null && !(await hasRoom(tx, classId, atMs))) return "over";
  const isNew = await insertInvitation(tx, { userId, inviterId, classId, atMs });
  if (!isNew) return "not_new";
  return classId === null ? "kept" : "class";
}

interface NewInvitation {
  userId: string;
  inviterId: string | null;
  classId: string | null;
  atMs: number;
}

/** False if the person has one already. */
async function insertInvitation(
  tx: Tx,
  { userId, inviterId, classId, atMs }: NewInvitation,
): Promise<boolean> {
  const { rows } = await sql`
    insert into invitation (invitation_id, user_id, inviter_id, class_id, joined_at_ms)
    values (${randomUUID()}, ${userId}, ${inviterId}, ${classId}, ${atMs})
    on conflict (user_id) do nothing returning invitation_id`.execute(tx);
  return rows.length > 0;
}

/**
 * Returns true if this is the code of a class link that still admits people. Locks the class as
 * `join` does. Throws `class.*` for a one-use code of a class that admits no one.
 */
export async function isAdmitted(
  tx: Tx,
  { codes }: ClassesOfInvites,
  code: string,
  atMs: number,
): Promise<boolean> {
  if (parseClassCode(code) !== null) {
    const { isUsed } = await codes.find(code, tx);
    if (isUsed) throw new ApiError("class.code_used");
    return true;
  }
  const codeOwner = await findCode(tx, code);
  return (
    codeOwner !== null &&
    codeOwner.class_id !== null &&
    (await hasRoom(tx, codeOwner.class_id, atMs))
  );
}

/** The outcome of a code for an existing account: own, unknown, or too late. */
export async function decideLateOutcome(db: Db, userId: string, code: string): Promise<InviteFate> {
  const codeOwner = await findCode(db, code);
  if (!codeOwner) return "unknown";
  return codeOwner.user_id === userId ? "own" : "not_new";
}

/**
 * Returns true if the inviter is this person, or was invited by them directly or through others.
 */
async function isCircular(tx: Tx, inviterId: string, userId: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    with recursive above (user_id) as (
      select ${inviterId}::text
      union
      select i.inviter_id from invitation i join above a on a.user_id = i.user_id where i.inviter_id is not null
    )
    select exists (select from above where user_id = ${userId}) as found`.execute(tx);
  return rows[0]!.found;
}
