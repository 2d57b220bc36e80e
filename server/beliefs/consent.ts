import { sql } from "kysely";
import type { getClassConsent } from "#api/beliefs.ts";
import type { AnswerOf } from "#api/call.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";

export interface ConsentDeps {
  invites: {
    classes: {
      /** The class that a person joined; null if none. */
      classOf(userId: string): Promise<string | null>;
    };
  };
}

/** Consent to a person's class counting how sure they were (docs/rules/beliefs.md, "In a class"). */
export function createConsent(
  { database: { db }, realClock }: Pick<AppContext, "database" | "realClock">,
  { invites: { classes } }: ConsentDeps,
) {
  const readConsent = async (userId: string): Promise<AnswerOf<typeof getClassConsent>> => {
    const classId = await classes.classOf(userId);
    const { rows } = await sql<{ agreed_at_ms: bigint }>`
      select agreed_at_ms from belief_consent
      where user_id = ${userId} and class_id = ${classId}`.execute(db);
    const [row] = rows;
    return { in_class: classId !== null, agreed_at_ms: row ? Number(row.agreed_at_ms) : null };
  };
  return {
    read: readConsent,
    /** Throws `beliefs.no_class` if they would agree without being in a class. */
    set: async (userId: string, agreed: boolean) => {
      if (agreed) {
        const classId = await classes.classOf(userId);
        if (classId === null) throw new ApiError("beliefs.no_class");
        await sql`
          insert into belief_consent (user_id, class_id, agreed_at_ms)
          values (${userId}, ${classId}, ${realClock.nowMs()})
          on conflict (user_id) do nothing`.execute(db);
      } else {
        await sql`delete from belief_consent where user_id = ${userId}`.execute(db);
      }
      return readConsent(userId);
    },
    /** The members of a class who agreed. */
    agreedIn: async (classId: string): Promise<ReadonlySet<string>> => {
      const { rows } = await sql<{ user_id: string }>`
        select user_id from belief_consent where class_id = ${classId}`.execute(db);
      return new Set(rows.map((row) => row.user_id));
    },
  };
}
export type Consent = ReturnType<typeof createConsent>;
