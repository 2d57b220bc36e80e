import { changesPerHour, freshSignInMs, isPin } from "#core/pin/pin.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";
import { createSecretHasher, type SecretHasher } from "#server/platform/crypto/secretHash.ts";
import { createStoredSecrets, toWaitValues } from "#server/platform/crypto/storedSecrets.ts";
import { createRateLimit } from "#server/platform/http/limits/rateLimit.ts";
import { createPersonQueue } from "#server/platform/personQueue.ts";

/** The owner of the PIN, and the calling session. */
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

/**
 * The optional PIN for withdrawing and sending (docs/rules/wallet.md, "PIN"). Six digits protect a
 * session left open, not a copied database. Delays are capped at an hour, and signing in again
 * allows a new PIN to be set, because a PIN must never lock a person out of their balance for good.
 * The PIN is left out of the body hash, which would be an unsalted hash of it.
 */
export function createPin(
  ctx: Pick<AppContext, "database" | "realClock">,
  { session }: PinDeps,
  hasher: SecretHasher = createSecretHasher(),
): Pin {
  const { realClock } = ctx;
  const { db } = ctx.database;
  const pins = createStoredSecrets(ctx, { table: "user_pin", key: "user_id" }, hasher);
  // Concurrent right ones must not count against each other, and one person's hashes must not fill
  // the queue of all.
  const inTurn = createPersonQueue(waitingMax);
  const changes = createRateLimit(
    { perSecond: changesPerHour / 3_600, burst: changesPerHour },
    realClock,
  );

  const check = async (userId: string, pin: string | undefined) => {
    const isGiven = pin !== undefined && pin !== "";
    if (!isGiven || !isPin(pin)) {
      if ((await pins.state(db, userId)) === null) return;
      throw new ApiError(isGiven ? "pin.wrong" : "pin.required");
    }
    const attempt = await pins.check(userId, pin);
    if (attempt.outcome === "locked")
      throw new ApiError("pin.locked", toWaitValues(attempt.waitMs));
    if (attempt.outcome === "wrong")
      throw new ApiError("pin.wrong", attempt.waitMs > 0 ? toWaitValues(attempt.waitMs) : null);
  };

  /** Passes if the sign-in is fresh and no PIN was given, or if the given PIN is right. */
  const mayChange = async (owner: PinOwner, currentPin: string | undefined) => {
    const isSignInFresh =
      currentPin === undefined && (await freshUntil(session, owner, realClock.nowMs())) !== null;
    if (!isSignInFresh) await check(owner.userId, currentPin);
    changes.require(owner.userId);
  };

  return {
    check: ({ userId }, pin) => inTurn(userId, () => check(userId, pin)),
    state: async (owner) => {
      const state = await pins.state(db, owner.userId);
      return {
        set: state !== null,
        setAtMs: state?.setAtMs ?? null,
        lockedUntilMs: state?.lockedUntilMs ?? null,
        freshUntilMs: await freshUntil(session, owner, realClock.nowMs()),
      };
    },
    set: async (owner, pin, currentPin) => {
      if (!isPin(pin)) throw new ApiError("request.malformed", { field: "pin" });
      await inTurn(owner.userId, async () => {
        await mayChange(owner, currentPin);
        await pins.set(db, owner.userId, await hasher.make(pin));
      });
    },
    remove: (owner, currentPin) =>
      inTurn(owner.userId, async () => {
        await mayChange(owner, currentPin);
        await pins.remove(db, owner.userId);
      }),
  };
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
