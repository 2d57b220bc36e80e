import { sql } from "kysely";
import { computeWaitMs, waitMsMax } from "#core/pin/pin.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { SecretHash, SecretHasher } from "#server/platform/crypto/secretHash.ts";
import type { Db, Tx } from "#server/platform/db/database.ts";

/**
 * The result of an attempt. `waitMs`: real time until the next one is checked; 0 if immediately.
 */
type SecretAttempt =
  | { outcome: "right"; setAtMs: number }
  | { outcome: "wrong"; waitMs: number }
  | { outcome: "locked"; waitMs: number }
  | { outcome: "none_set" };

interface StoredSecrets {
  /** Replaces the secret of `id`, with no wrong attempts. */
  set(db: Db | Tx, id: string, hash: SecretHash): Promise<void>;
  remove(db: Db | Tx, id: string): Promise<void>;
  /**
   * `lockedUntilMs` is null if the next attempt will be checked. Returns null if no secret is set.
   */
  state(db: Db | Tx, id: string): Promise<{ setAtMs: number; lockedUntilMs: number | null } | null>;
  /**
   * Checks an attempt; null counts as a wrong one. Attempts of one `id` must come one after another,
   * or right ones count against each other, and not in a transaction that may be rolled back. Throws
   * `server.unavailable`, without counting, if too many wait for their hash.
   */
  check(id: string, secret: string | null): Promise<SecretAttempt>;
}

interface Row extends SecretHash {
  set_at_ms: bigint;
  failures: number;
  locked_until_ms: bigint;
}

/**
 * Short secrets that protect by the delays after wrong attempts (docs/rules/wallet.md, "PIN"), in a
 * table with a row for each `key` that has one. Real time throughout.
 */
export function createStoredSecrets(
  { database: { db }, realClock }: Pick<AppContext, "database" | "realClock">,
  names: { table: string; key: string },
  hasher: Pick<SecretHasher, "matches">,
): StoredSecrets {
  const table = sql.table(names.table);
  const key = sql.ref(names.key);

  /**
   * Counts an attempt as wrong in advance, so that concurrent ones cannot get around the delays; a
   * right one resets the count.
   */
  const countAttempt = (id: string) =>
    db.transaction().execute(async (tx) => {
      const { rows } = await sql<Row>`
        select scheme, salt, hash, set_at_ms, failures, locked_until_ms from ${table}
        where ${key} = ${id} for update`.execute(tx);
      const row = rows[0];
      const nowMs = realClock.nowMs();
      if (!row) return { outcome: "none_set" } as const;
      const untilMs = lockedUntil(row, nowMs);
      if (untilMs !== null) return { outcome: "locked", waitMs: untilMs - nowMs } as const;
      const failures = Math.min(row.failures + 1, 1_000_000);
      const waitMs = computeWaitMs(failures);
      await sql`
        update ${table}
        set failures = ${failures}, locked_until_ms = ${waitMs > 0 ? nowMs + waitMs : 0}
        where ${key} = ${id}`.execute(tx);
      return { outcome: "counted", row, failures, waitMs } as const;
    });

  /**
   * Takes back an attempt that was never checked because too many were waiting: otherwise anyone
   * who keeps the server busy could lock out a person who types the right secret.
   */
  const undoAttempt = (id: string, failures: number) =>
    sql`
      update ${table} set failures = failures - 1, locked_until_ms = 0
      where ${key} = ${id} and failures = ${failures}`.execute(db);

  return {
    set: async (on, id, { scheme, salt, hash }) => {
      await sql`
        insert into ${table} (${key}, scheme, salt, hash, set_at_ms)
        values (${id}, ${scheme}, ${salt}, ${hash}, ${realClock.nowMs()})
        on conflict (${key}) do update set scheme = excluded.scheme, salt = excluded.salt,
          hash = excluded.hash, set_at_ms = excluded.set_at_ms, failures = 0, locked_until_ms = 0`.execute(
        on,
      );
    },
    remove: async (db, id) => {
      await sql`delete from ${table} where ${key} = ${id}`.execute(db);
    },
    state: async (db, id) => {
      const { rows } = await sql<Pick<Row, "set_at_ms" | "locked_until_ms">>`
        select set_at_ms, locked_until_ms from ${table} where ${key} = ${id}`.execute(db);
      const row = rows[0];
      if (!row) return null;
      return {
        setAtMs: Number(row.set_at_ms),
        lockedUntilMs: lockedUntil(row, realClock.nowMs()),
      };
    },
    check: async (id, secret) => {
      const countResult = await countAttempt(id);
      if (countResult.outcome !== "counted") return countResult;
      const { row, failures, waitMs } = countResult;
      const isRight =
        secret !== null &&
        (await hasher.matches(secret, row).catch(async (error: unknown) => {
          await undoAttempt(id, failures);
          throw error;
        }));
      if (!isRight) return { outcome: "wrong", waitMs };
      await sql`
        update ${table} set failures = 0, locked_until_ms = 0 where ${key} = ${id}`.execute(db);
      return { outcome: "right", setAtMs: Number(row.set_at_ms) };
    },
  };
}

/**
 * Null if the next attempt is checked. A lock further ahead than the longest delay comes from a
 * clock that was set back, and is ignored.
 */
function lockedUntil(row: Pick<Row, "locked_until_ms">, nowMs: number): number | null {
  const untilMs = Number(row.locked_until_ms);
  return untilMs > nowMs && untilMs <= nowMs + waitMsMax ? untilMs : null;
}

/** The values of the messages about a delay. */
export function toWaitValues(waitMs: number): Record<string, number> {
  return { retry_after_seconds: Math.ceil(waitMs / 1_000), minutes: Math.ceil(waitMs / 60_000) };
}
