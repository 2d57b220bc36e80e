import { sql } from "kysely";
import { freshSignInMs, isPin, longestWaitMs, waitAfterMs } from "#core/pin/pin.ts";
import { createPinHasher, type PinHash, type PinHasher } from "#server/pin/hash.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Db } from "#server/platform/db/database.ts";

/** Whose PIN, and the session that asks. */
export interface PinOwner {
  userId: string;
  sessionId: string;
}

interface PinState {
  set: boolean;
  setAtMs: number | null;
  /** Real time until which no try is looked at; null when the next one is. */
  lockedUntilMs: number | null;
  /**
   * Real time until which this session's sign-in stands for the PIN when a new one is set; null
   * when it no longer does.
   */
  freshUntilMs: number | null;
}

export interface Pin {
  /**
   * Does nothing when no PIN is set. Otherwise throws the Refusal `pin.required` without one,
   * `pin.wrong`, or `pin.locked` while the delay after wrong tries runs. All three leave an
   * idempotency key free.
   */
  check(owner: PinOwner, pin: string | undefined): Promise<void>;
  state(owner: PinOwner): Promise<PinState>;
  /**
   * Sets or changes it. A change needs the PIN so far, or a sign-in with the wallet at most five
   * minutes ago.
   */
  set(owner: PinOwner, pin: string, currentPin: string | undefined): Promise<void>;
  /** Takes it away, under the same condition. */
  remove(owner: PinOwner, currentPin: string | undefined): Promise<void>;
}

export interface PinDeps {
  session: {
    /** Since when a session of theirs is open; null: it is not. */
    openedAtMs(owner: PinOwner): Promise<number | null>;
  };
}

interface Row extends PinHash {
  failures: number;
}

/**
 * The optional PIN for withdrawing and sending (docs/rules/wallet.md, "PIN").
 * Six digits protect a session left open, not a copied database. Waits stop growing at an hour and
 * signing in again lets a new PIN be set, because a PIN must never keep anybody from their balance
 * for good. The field is left out of the body hash, which would be its unsalted hash.
 */
export function createPin(
  { database: { db }, realClock }: Pick<AppContext, "database" | "realClock">,
  { session }: PinDeps,
  hasher: PinHasher = createPinHasher(),
): Pin {
  const inTurn = createTurnsPerUser();

  const check = (userId: string, pin: string | undefined) =>
    inTurn(userId, async () => {
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
    });

  /** Either the sign-in is fresh and no PIN was given, or the PIN given is right. */
  const mayChange = async (owner: PinOwner, currentPin: string | undefined) => {
    const stands =
      currentPin === undefined && (await freshUntil(session, owner, realClock.nowMs())) !== null;
    if (!stands) await check(owner.userId, currentPin);
  };

  return {
    check: ({ userId }, pin) => check(userId, pin),
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
      await mayChange(owner, currentPin);
      const { scheme, salt, hash } = await hasher.make(pin);
      await sql`
        insert into user_pin (user_id, scheme, salt, hash, set_at_ms)
        values (${owner.userId}, ${scheme}, ${salt}, ${hash}, ${realClock.nowMs()})
        on conflict (user_id) do update set scheme = excluded.scheme, salt = excluded.salt, hash = excluded.hash,
          set_at_ms = excluded.set_at_ms, failures = 0, locked_until_ms = 0`.execute(db);
    },
    remove: async (owner, currentPin) => {
      await mayChange(owner, currentPin);
      await sql`delete from user_pin where user_id = ${owner.userId}`.execute(db);
    },
  };
}

async function isSet(db: Db, userId: string): Promise<boolean> {
  const { rows } = await sql`select from user_pin where user_id = ${userId}`.execute(db);
  return rows.length > 0;
}

/**
 * A lock further off than the longest wait comes from a clock that was set back, and does not
 * count.
 */
function isLocked(untilMs: number, nowMs: number): boolean {
  return untilMs > nowMs && untilMs <= nowMs + longestWaitMs;
}

/**
 * Counts a try as a wrong one, unless the delay runs (null then). A right one takes the count back.
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
 * A try that could not be looked at, since too many others wait, was none: else whoever keeps the
 * server busy could lock a person who types the right PIN out of their balance.
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
  // Taken away or unlocked in this very moment: the same request may simply come again.
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

/**
 * One try of a person after another, so that right ones at the same time do not count against each
 * other.
 */
function createTurnsPerUser() {
  const last = new Map<string, Promise<unknown>>();
  return async <Result>(userId: string, work: () => Promise<Result>): Promise<Result> => {
    const mine = (last.get(userId) ?? Promise.resolve()).then(work, work);
    last.set(userId, mine);
    try {
      return await mine;
    } finally {
      if (last.get(userId) === mine) last.delete(userId);
    }
  };
}
