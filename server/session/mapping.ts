import { sql } from "kysely";
import type { Db, Tx } from "#server/platform/db/database.ts";
import { isOpen } from "#server/session/sessionStore.ts";

/** The mapping from an address to a person, as deletion reads and removes it (server/account). */
export interface Mapping {
  /** A person's attempts, oldest first, and the number of their sessions open at `realMs`. */
  held(
    db: Db | Tx,
    userId: string,
    realMs: number,
  ): Promise<{ attemptIds: string[]; openSessions: number }>;
  /** The blind index of a person's address; null when the mapping was erased. */
  addressIndex(db: Db | Tx, userId: string): Promise<Uint8Array | null>;
  /** Removes the mapping and marks the account as erased, which stops its sessions from resolving. */
  erase(tx: Tx, userId: string, realMs: number): Promise<void>;
  /** Which of these accounts exist and are not erased. */
  unerased(userIds: readonly string[]): Promise<string[]>;
}

export function createAddressMapping(db: Db): Mapping {
  return {
    held: async (from, userId, realMs) => {
      const { rows } = await sql<{ attempt_ids: string[]; sessions: number }>`
        select
          coalesce((select array_agg(attempt_id order by number) from user_attempt where user_id = ${userId}), '{}') as attempt_ids,
          (select count(*)::int from user_session
            where user_id = ${userId} and ${isOpen(realMs)}) as sessions`.execute(from);
      const { attempt_ids: attemptIds, sessions: openSessions } = rows[0]!;
      return { attemptIds, openSessions };
    },
    addressIndex: async (from, userId) => {
      const { rows } = await sql<{ address_index: Buffer }>`
        select address_index from user_address where user_id = ${userId}`.execute(from);
      return rows[0]?.address_index ?? null;
    },
    erase: async (tx, userId, realMs) => {
      await sql`delete from user_address where user_id = ${userId}`.execute(tx);
      await sql`update user_account set erased_at_ms = ${realMs} where user_id = ${userId}`.execute(
        tx,
      );
    },
    unerased: async (userIds) => {
      const { rows } = await sql<{ user_id: string }>`
        select user_id from user_account
        where erased_at_ms is null and user_id = any(${[...userIds]}::text[])`.execute(db);
      return rows.map((row) => row.user_id);
    },
  };
}
