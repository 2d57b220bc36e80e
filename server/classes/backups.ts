import { sql } from "kysely";
import { pinTries, unlocksMax } from "#core/classes/limits.ts";
import type { ClassCode } from "#server/classes/codes.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Tx } from "#server/platform/db/database.ts";

export type BackupState = "none" | "stored" | "locked";

/**
 * Backups of practice wallets, encrypted in the browser under class code and PIN
 * (docs/rules/classes.md). The server has neither the PIN nor the seed.
 */
export interface WalletBackups {
  /** Replaces the previous backup and resets the count of wrong PINs, but not that of unlocks. */
  store(
    code: Pick<ClassCode, "classId" | "number">,
    params: { userId: string; proof: string; backup: string },
  ): Promise<void>;
  state(code: Pick<ClassCode, "classId" | "number">): Promise<BackupState>;
  /**
   * The backup in hex, for a caller with its proof. An attempt counts before it is checked, and a
   * right one resets the count. Throws `class.no_backup`, `class.pin_wrong`, `class.pin_locked`.
   */
  open(code: Pick<ClassCode, "classId" | "number">, proof: string): Promise<string>;
  /**
   * Allows five more wrong PINs; returns whose it is. Throws `class.not_locked` and
   * `class.too_many_unlocks`.
   */
  unlock(
    tx: Tx,
    code: Pick<ClassCode, "classId" | "number">,
  ): Promise<{ userId: string; unlocksLeft: number }>;
}

const indexUse = "class_wallet";

export function createWalletBackups({
  database: { db },
  realClock,
  fieldEncryption,
}: Pick<AppContext, "database" | "realClock" | "fieldEncryption">): WalletBackups {
  const indexOf = (classId: string, number: number, proof: string) =>
    fieldEncryption.blindIndex(indexUse, `${classId}/${number}/${proof}`);
  return {
    store: async ({ classId, number }, { userId, proof, backup }) => {
      const index = await indexOf(classId, number, proof);
      const encrypted = await fieldEncryption.encrypt(userId, Buffer.from(backup, "hex"));
      await sql`
        insert into class_wallet (class_id, number, user_id, proof_index, backup_encrypted, set_at_ms)
        values (${classId}, ${number}, ${userId}, ${index}, ${encrypted}, ${realClock.nowMs()})
        on conflict (class_id, number) do update set proof_index = excluded.proof_index,
          backup_encrypted = excluded.backup_encrypted, set_at_ms = excluded.set_at_ms,
          failures = 0`.execute(db);
    },
    state: async ({ classId, number }) => {
      const { rows } = await sql<{ failures: number }>`
        select failures from class_wallet
        where (class_id, number) = (${classId}::uuid, ${number}::integer)`.execute(db);
      if (!rows[0]) return "none";
      return rows[0].failures >= pinTries ? "locked" : "stored";
    },
    open: async ({ classId, number }, proof) => {
      const index = await indexOf(classId, number, proof);
      const { rows } = await sql<{
        user_id: string;
        proof_index: Buffer;
        backup_encrypted: Buffer;
        failures: number;
      }>`
        update class_wallet set failures = failures + 1
        where (class_id, number) = (${classId}::uuid, ${number}::integer)
          and failures < ${pinTries} returning *`.execute(db);
      const [row] = rows;
      if (!row) {
        const isThere = await sql`
          select from class_wallet
          where (class_id, number) = (${classId}::uuid, ${number}::integer)`.execute(db);
        throw new ApiError(isThere.rows.length > 0 ? "class.pin_locked" : "class.no_backup");
      }
      // An HMAC: the time of the comparison reveals nothing about the expected value.
      if (!row.proof_index.equals(index)) {
        const triesLeft = pinTries - row.failures;
        if (triesLeft === 0) throw new ApiError("class.pin_locked");
        throw new ApiError("class.pin_wrong", { left: triesLeft });
      }
      await sql`
        update class_wallet set failures = 0
        where (class_id, number) = (${classId}::uuid, ${number}::integer)`.execute(db);
      const backup = await fieldEncryption.decrypt(row.user_id, row.backup_encrypted);
      return backup.toString("hex");
    },
    unlock: async (tx, { classId, number }) => {
      const { rows } = await sql<{ user_id: string; failures: number; unlocks: number }>`
        select user_id, failures, unlocks from class_wallet
        where (class_id, number) = (${classId}::uuid, ${number}::integer) for update`.execute(tx);
      const [row] = rows;
      if (!row || row.failures < pinTries) throw new ApiError("class.not_locked");
      if (row.unlocks >= unlocksMax)
        throw new ApiError("class.too_many_unlocks", { maximum: unlocksMax });
      await sql`
        update class_wallet set failures = 0, unlocks = unlocks + 1
        where (class_id, number) = (${classId}::uuid, ${number}::integer)`.execute(tx);
      return { userId: row.user_id, unlocksLeft: unlocksMax - row.unlocks - 1 };
    },
  };
}
