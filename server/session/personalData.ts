import { sql } from "kysely";
import type { AppContext } from "#server/platform/context.ts";
import { createPersonRows } from "#server/platform/db/personRows.ts";
import { findUser } from "#server/session/users.ts";

/** The person's account at this instance: their address, attempts, sessions and agreements. */
export function sessionPersonalData(ctx: AppContext) {
  const { db } = ctx.database;
  const rows = createPersonRows(ctx);
  return {
    name: "account",
    exportFor: async (userId: string) => ({
      json: {
        user: await rows.all(userId, { table: "user_account", order: "user_id" }),
        address: (await findUser(db, ctx.fieldEncryption, userId))?.address ?? null,
        attempts: await rows.all(userId, { table: "user_attempt", order: "number" }),
        sessions: await rows.all(userId, {
          table: "user_session",
          order: "session_id",
          without: ["token_hash"],
        }),
        authorisations: await rows.all(userId, {
          table: "user_authorisation",
          order: "authorisation_id",
          opened: { text_encrypted: "text" },
        }),
      },
    }),
    erase: async (userId: string) => {
      // Sessions are deleted with the authorisation they were signed in by.
      await rows.remove(userId, ["user_address", "user_authorisation"]);
      await sql`
        update user_account set language = 'en', custom_service_url = null, invite_code = null
        where user_id = ${userId}`.execute(db);
    },
  };
}
