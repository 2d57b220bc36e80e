import { sql } from "kysely";
import type { Db } from "#server/platform/db/database.ts";

export interface InvitationRow {
  invitation_id: string;
  user_id: string;
  inviter_id: string | null;
  class_id: string | null;
  joined_at_ms: bigint;
  name_encrypted: Buffer | null;
  answer_encrypted: Buffer | null;
  lesson_at_ms: bigint | null;
  outcome: "rewarded" | "over_limit" | null;
}

export type RewardState = "none" | "waiting" | "rewarded" | "over_limit";

/** State of the reward; "none" for a class link or when the inviter has left. */
export function getRewardState({ outcome, inviter_id: inviterId }: InvitationRow): RewardState {
  return outcome ?? (inviterId === null ? "none" : "waiting");
}

/** How this person joined; null when they joined without a code. */
export async function readOwn(db: Db, userId: string): Promise<InvitationRow | null> {
  const { rows } = await sql<InvitationRow>`
    select * from invitation where user_id = ${userId}`.execute(db);
  return rows[0] ?? null;
}

/**
 * A page of those who joined by this person's code up to `before`, newest first, plus one row if
 * there are more.
 */
export async function readTeam(
  db: Db,
  userId: string,
  { page, page_size: size, before }: { page: number; page_size: number; before: number },
): Promise<InvitationRow[]> {
  const { rows } = await sql<InvitationRow>`
    select * from invitation where inviter_id = ${userId} and joined_at_ms <= ${before}
    order by joined_at_ms desc, invitation_id limit ${size + 1} offset ${(page - 1) * size}`.execute(
    db,
  );
  return rows;
}

export async function readTotals(
  db: Db,
  userId: string,
): Promise<{ joined: number; finished: number; rewarded: number }> {
  const { rows } = await sql<{ joined: bigint; finished: bigint; rewarded: bigint }>`
    select count(*) as joined, count(lesson_at_ms) as finished, count(journal_id) as rewarded
    from invitation where inviter_id = ${userId}`.execute(db);
  const { joined, finished, rewarded } = rows[0]!;
  return { joined: Number(joined), finished: Number(finished), rewarded: Number(rewarded) };
}
