import { sql } from "kysely";
import { ApiError } from "#server/platform/apiError.ts";
import type { Db } from "#server/platform/db/database.ts";

interface Owner {
  userId: string;
  attemptId: string;
}

/**
 * Resolves the attempt that a request names, closed or not; defaults to the current one. Throws
 * `attempts.unknown` when it does not exist or is another person's.
 */
export async function resolveAttempt(db: Db, owner: Owner, attemptId?: string): Promise<Owner> {
  const { userId } = owner;
  if (attemptId === undefined || attemptId === owner.attemptId) {
    return { userId, attemptId: owner.attemptId };
  }
  const ownAttempt = { userId, attemptId };
  if (!(await isOwnAttempt(db, ownAttempt))) throw new ApiError("attempts.unknown");
  return ownAttempt;
}

/** Returns true if an attempt, open or closed, belongs to the person. */
export async function isOwnAttempt(db: Db, { userId, attemptId }: Owner): Promise<boolean> {
  const { rows } = await sql`
    select from user_attempt where attempt_id = ${attemptId} and user_id = ${userId}`.execute(db);
  return rows.length > 0;
}

/** All attempts of a person, open and closed, oldest first. */
export async function readOwnAttempts(db: Db, userId: string): Promise<string[]> {
  const { rows } = await sql<{ attempt_id: string }>`
    select attempt_id from user_attempt where user_id = ${userId} order by number`.execute(db);
  return rows.map((row) => row.attempt_id);
}
