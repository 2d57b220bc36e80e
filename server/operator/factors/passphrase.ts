import { sql } from "kysely";
import { isCommonPassphrase, readPassphrase } from "#core/operator/passphrase.ts";
import { longestWaitMs, waitAfterMs } from "#core/pin/pin.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";
import {
  createSecretHasher,
  type SecretHash,
  type SecretHasher,
} from "#server/platform/crypto/secretHash.ts";
import type { Db, Tx } from "#server/platform/db/database.ts";
import { createPersonTurns } from "#server/platform/personTurns.ts";

export interface Passphrases {
  /** Throws `operator.passphrase_length` or `operator.passphrase_common`. */
  make(typed: string): Promise<SecretHash>;
  set(tx: Tx, operatorId: string, hash: SecretHash): Promise<void>;
  remove(tx: Tx, operatorId: string): Promise<void>;
  /** When it was set; null if there is none. */
  setAtMs(db: Db, operatorId: string): Promise<number | null>;
  /**
   * Returns when the correct passphrase was set. Throws `operator.passphrase_wrong`, or
   * `operator.passphrase_locked` during the delay after wrong attempts, which are those of the PIN
   * (docs/rules/wallet.md). Must not run in a transaction that may be rolled back.
   */
  check(operatorId: string, typed: string): Promise<number>;
}

/** Attempts of one operator that may wait for their turn in a process. */
const waitingMax = 10;

interface Row extends SecretHash {
  set_at_ms: bigint;
  failures: number;
}

/**
 * Operators' passphrases: only their slow hashes are stored, computed in a queue of their own.
 */
export function createPassphrases(
  { database: { db }, realClock }: Pick<AppContext, "database" | "realClock">,
  hasher: SecretHasher = createSecretHasher(),
): Passphrases {
  // Concurrent right attempts must not count against each other.
  const inTurn = createPersonTurns(waitingMax);
  return {
    make: async (typed) => {
      const passphrase = readPassphrase(typed);
      if (passphrase === null) throw new ApiError("operator.passphrase_length");
      if (isCommonPassphrase(passphrase)) throw new ApiError("operator.passphrase_common");
      return hasher.make(passphrase);
    },
    set: async (tx, operatorId, { scheme, salt, hash }) => {
      await sql`
        insert into operator_passphrase (operator_id, scheme, salt, hash, set_at_ms)
        values (${operatorId}, ${scheme}, ${salt}, ${hash}, ${realClock.nowMs()})
        on conflict (operator_id) do update set scheme = excluded.scheme, salt = excluded.salt,
          hash = excluded.hash, set_at_ms = excluded.set_at_ms, failures = 0, locked_until_ms = 0`.execute(
        tx,
      );
    },
    remove: async (tx, operatorId) => {
      await sql`delete from operator_passphrase where operator_id = ${operatorId}`.execute(tx);
    },
    setAtMs: async (on, operatorId) => {
      const { rows } = await sql<{ set_at_ms: bigint }>`
        select set_at_ms from operator_passphrase where operator_id = ${operatorId}`.execute(on);
      return rows[0] ? Number(rows[0].set_at_ms) : null;
    },
    check: async (operatorId, typed) =>
      inTurn(operatorId, async () => {
        const row = await countAttempt(db, operatorId, realClock.nowMs());
        // A passphrase of a wrong length was never accepted, but counts as an attempt.
        const passphrase = readPassphrase(typed);
        const isRight =
          passphrase !== null &&
          (await hasher.matches(passphrase, row).catch(async (error: unknown) => {
            await undoAttempt(db, operatorId, row);
            throw error;
          }));
        if (!isRight) throw wrong(waitAfterMs(row.failures));
        await sql`
        update operator_passphrase set failures = 0, locked_until_ms = 0
        where operator_id = ${operatorId}`.execute(db);
        return Number(row.set_at_ms);
      }),
  };
}

/**
 * Counts an attempt as wrong in advance; a correct one resets the count. Throws
 * `operator.passphrase_locked` during a delay.
 */
async function countAttempt(db: Db, operatorId: string, nowMs: number): Promise<Row> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<Row & { locked_until_ms: bigint }>`
      select scheme, salt, hash, set_at_ms, failures, locked_until_ms from operator_passphrase
      where operator_id = ${operatorId} for update`.execute(tx);
    const row = rows[0];
    if (!row) throw new ApiError("operator.proof_required");
    const untilMs = Number(row.locked_until_ms);
    // A lock further ahead than the longest delay comes from a clock that was set back.
    if (untilMs > nowMs && untilMs <= nowMs + longestWaitMs) {
      throw new ApiError("operator.passphrase_locked", waitValues(untilMs - nowMs));
    }
    const failures = Math.min(row.failures + 1, 1_000_000);
    const waitMs = waitAfterMs(failures);
    await sql`
      update operator_passphrase
      set failures = ${failures}, locked_until_ms = ${waitMs > 0 ? nowMs + waitMs : 0}
      where operator_id = ${operatorId}`.execute(tx);
    return { ...row, failures };
  });
}

/** Takes back an attempt that was never checked because too many were waiting. */
async function undoAttempt(db: Db, operatorId: string, { failures }: Row): Promise<void> {
  await sql`
    update operator_passphrase set failures = failures - 1, locked_until_ms = 0
    where operator_id = ${operatorId} and failures = ${failures}`.execute(db);
}

function wrong(waitMs: number): ApiError {
  return new ApiError("operator.passphrase_wrong", waitMs > 0 ? waitValues(waitMs) : null);
}

function waitValues(waitMs: number): Record<string, number> {
  return { retry_after_seconds: Math.ceil(waitMs / 1_000), minutes: Math.ceil(waitMs / 60_000) };
}
