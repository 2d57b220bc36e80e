import { sql } from "kysely";
import { changesPerHour, freshSignInMs, isPin, longestWaitMs, waitAfterMs } from "#core/pin/pin.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";
import {
  createSecretHasher,
  type SecretHash,
  type SecretHasher,
} from "#server/platform/crypto/secretHash.ts";
import type { Db } from "#server/platform/db/database.ts";
import { createRateLimit } from "#server/platform/http/limits/rateLimit.ts";
import { createPersonTurns } from "#server/platform/personTurns.ts";

/** Whose PIN it is, and the calling session. */
export interface PinOwner {
  userId: string;
  sessionId: string;
}

interface PinState {
  set: boolean;
  setAtMs: number | null;
  /** Real time until which attempts are rejected unseen; null when the next one is checked. */
  lockedUntilMs: number | null;
  /**
   * Real time until which this session's sign-in is accepted in place of the current PIN when
   * setting a new one; null when it no longer is.
   */
  freshUntilMs: number | null;
}

export interface Pin {
  /**
   * No-op when no PIN is set. Otherwise throws the ApiError `pin.required` when none is given,
   * `pin.wrong`, or `pin.locked` during the delay after wrong attempts. All three leave an
   * idempotency key free.
   */
  check(owner: PinOwner, pin: string | undefined): Promise<void>;
  state(owner: PinOwner): Promise<PinState>;
  /**
   * Sets or changes the PIN. A change needs the current PIN, or a sign-in with the wallet at most
   * five minutes ago. Throws `request.too_many` after five changes in an hour.
   */
  set(owner: PinOwner, pin: string, currentPin: string | undefined): Promise<void>;
  /** Removes the PIN, under the same condition. */
  remove(owner: PinOwner, currentPin: string | undefined): Promise<void>;
}

/** Calls of one person that may wait for their turn in a process. */
const waitingMax = 20;

export interface PinDeps {
  session: {
    /** When this session was opened; null when it has ended or is not theirs. */
    openedAtMs(owner: PinOwner): Promise<number | null>;
  };
}

interface Row extends SecretHash {
  failures: number;
}

/**
 * The optional PIN for withdrawing and sending (docs/rules/wallet.md, "PIN"). Six digits protect a
 * session left open, not a copied database. Delays are capped at an hour, and signing in again
 * allows a new PIN to be set, because a PIN must never lock anybody out of their balance for good.
 * The PIN is left out of the body hash, which would be an unsalted hash of it.
 */
export function createPin(
  { database: { db }, realClock }: Pick<AppContext, "database" | "realClock">,
  { session }: PinDeps,
  hasher: SecretHasher = createSecretHasher(),
): Pin {
  // Concurrent right ones must not count against each other, and one person's hashes must not fill
  // the queue of all.
  const inTurn = createPersonTurns(waitingMax);
  const changes = createRateLimit(
    { perSecond: changesPerHour / 3_600, burst: changesPerHour },
    realClock,
  );

  const check = async (userId: string, pin: string | undefined) => {
    if (!(await isSet(db, userId))) return;
    if (pin === undefined || pin === "") throw new ApiError("pin.required");
    if (!isPin(pin)) throw new ApiError("pin.wrong");
    const nowMs = realClock.nowMs();
    const row = await countTry(db, userId, nowMs);
    if (!row) throw await lockedOrGone(db, userId, nowMs);
    const right = await hasher.matches(pin, row).catch(async (error: unknown) => {
      await undoTry(db, userId, row);
      throw error;
    });
    if (right) {
      await sql`update user_pin set failures = 0, locked_until_ms = 0 where user_id = ${userId}`.execute(
        db,
      );
      return;
    }
    const waitMs = waitAfterMs(row.failures);
    throw new ApiError("pin.wrong", waitMs > 0 ? waitValues(waitMs) : null);
  };

  /** Passes if the sign-in is fresh and no PIN was given, or if the given PIN is right. */
  const mayChange = async (owner: PinOwner, currentPin: string | undefined) => {
    const stands =
      currentPin === undefined && (await freshUntil(session, owner, realClock.nowMs())) !== null;
    if (!stands) await check(owner.userId, currentPin);
    const waitSeconds = changes.take(owner.userId);
    if (waitSeconds !== null)
      throw new ApiError("request.too_many", { retry_after_seconds: waitSeconds });
  };

  return {
    check: ({ userId }, pin) => inTurn(userId, () => check(userId, pin)),
    state: async (owner) => {
      const nowMs = realClock.nowMs();
      const { rows } = await sql<{ set_at_ms: bigint; locked_until_ms: bigint }>`
        select set_at_ms, locked_until_ms from user_pin where user_id = ${owner.userId}`.execute(
        db,
      );
      const row = rows[0];
      const lockedUntilMs = Number(row?.locked_until_ms ?? 0n);
      return {
        set: row !== undefined,
        setAtMs: row ? Number(row.set_at_ms) : null,
        lockedUntilMs: isLocked(lockedUntilMs, nowMs) ? lockedUntilMs : null,
        freshUntilMs: await freshUntil(session, owner, nowMs),
      };
    },
    set: async (owner, pin, currentPin) => {
      if (!isPin(pin)) throw new ApiError("request.malformed", { field: "pin" });
      await inTurn(owner.userId, async () => {
        await mayChange(owner, currentPin);
        const { scheme, salt, hash } = await hasher.make(pin);
        await sql`
          insert into user_pin (user_id, scheme, salt, hash, set_at_ms)
          values (${owner.userId}, ${scheme}, ${salt}, ${hash}, ${realClock.nowMs()})
          on conflict (user_id) do update set scheme = excluded.scheme, salt = excluded.salt, hash = excluded.hash,
            set_at_ms = excluded.set_at_ms, failures = 0, locked_until_ms = 0`.execute(db);
      });
    },
    remove: (owner, currentPin) =>
      inTurn(owner.userId, async () => {
        await mayChange(owner, currentPin);
        await sql`delete from user_pin where user_id = ${owner.userId}`.execute(db);
      }),
  };
}

async function isSet(db: Db, userId: string): Promise<boolean> {
  const { rows } = await sql`select from user_pin where user_id = ${userId}`.execute(db);
  return rows.length > 0;
}

/**
 * A lock further ahead than the longest delay comes from a clock that was set back, and is ignored.
 */
function isLocked(untilMs: number, nowMs: number): boolean {
  return untilMs > nowMs && untilMs <= nowMs + longestWaitMs;
}

/**
 * Counts an attempt as wrong in advance, or returns null during a delay; a right one resets the
 * count.
 */
async function countTry(db: Db, userId: string, nowMs: number): Promise<Row | null> {
  return await db.transaction().execute(async (tx) => {
    const { rows } = await sql<Row & { locked_until_ms: bigint }>`
      select scheme, salt, hash, failures, locked_until_ms from user_pin where user_id = ${userId} for update`.execute(
      tx,
    );
    const row = rows[0];
    if (!row || isLocked(Number(row.locked_until_ms), nowMs)) return null;
    const failures = Math.min(row.failures + 1, 1_000_000);
    const waitMs = waitAfterMs(failures);
    await sql`
      update user_pin set failures = ${failures}, locked_until_ms = ${waitMs > 0 ? nowMs + waitMs : 0}
      where user_id = ${userId}`.execute(tx);
    return { ...row, failures };
  });
}

/**
 * Takes back an attempt that was never checked because too many were waiting: otherwise anyone who
 * keeps the server busy could lock a person who types the right PIN out of their balance.
 */
async function undoTry(db: Db, userId: string, { failures }: Row): Promise<void> {
  await sql`
    update user_pin set failures = failures - 1, locked_until_ms = 0
    where user_id = ${userId} and failures = ${failures}`.execute(db);
}

async function lockedOrGone(db: Db, userId: string, nowMs: number): Promise<ApiError> {
  const { rows } = await sql<{ locked_until_ms: bigint }>`
    select locked_until_ms from user_pin where user_id = ${userId}`.execute(db);
  const untilMs = Number(rows[0]?.locked_until_ms ?? 0n);
  // Removed or unlocked just now: the same request may simply be repeated.
  return new ApiError("pin.locked", waitValues(Math.max(1_000, untilMs - nowMs)));
}

function waitValues(waitMs: number): Record<string, number> {
  return { retry_after_seconds: Math.ceil(waitMs / 1_000), minutes: Math.ceil(waitMs / 60_000) };
}

async function freshUntil(
  session: PinDeps["session"],
  owner: PinOwner,
  nowMs: number,
): Promise<number | null> {
  const signedInMs = await session.openedAtMs(owner);
  if (signedInMs === null || signedInMs > nowMs || nowMs - signedInMs > freshSignInMs) return null;
  return signedInMs + freshSignInMs;
}
