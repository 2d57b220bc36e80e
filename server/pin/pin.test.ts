import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { getPin, removePin, setPin } from "#api/pin.ts";
import { dayMs } from "#core/money/time.ts";
import { createPin, type Pin, type PinDeps, type PinOwner } from "#server/pin/pin.ts";
import { pinRoutes } from "#server/pin/routes.ts";
import { ApiError } from "#server/platform/apiError.ts";
import { createSecretHasher } from "#server/platform/crypto/secretHash.ts";
import type { App } from "#server/platform/http/context.ts";
import { createSessionStore } from "#server/session/sessionStore.ts";
import { createTestApp } from "#server/testing/http.ts";
import { createTestContext, type TestContext } from "#server/testing/testContext.ts";

let ctx: TestContext;
let pin: Pin;
let deps: PinDeps;
let app: App;
let owner: PinOwner;
const minute = 60_000;
beforeAll(async () => {
  ctx = await createTestContext();
  deps = { session: createSessionStore(ctx) };
  pin = createPin(ctx, deps);
  app = await createTestApp(
    ctx,
    (app) => pinRoutes(app, pin),
    async (token) => ({ sessionId: token, userId: owner.userId, attemptId: "a", expiresAtMs: 0 }),
  );
});
afterAll(async () => {
  await app.close();
  await ctx.destroy();
});
beforeEach(async () => {
  owner = await signIn();
  ctx.realClock.advanceMs(6 * minute);
});

/** Creates a person with a session that began now. */
async function signIn(userId: string = randomUUID()): Promise<PinOwner> {
  const sessionId = randomUUID();
  const nowMs = ctx.realClock.nowMs();
  const { pool } = ctx.database;
  await pool.query(
    "insert into user_account (user_id, created_at_ms) values ($1, $2) on conflict do nothing",
    [userId, nowMs],
  );
  await pool.query(
    `insert into user_authorisation (authorisation_id, user_id, kind, text_encrypted, text_hash, at_ms)
     values ($1, $2, 'sign_in', '', $3, $4)`,
    [sessionId, userId, Buffer.alloc(32), nowMs],
  );
  await pool.query(
    `insert into user_session (session_id, token_hash, user_id, authorisation_id, created_at_ms, last_seen_at_ms, expires_at_ms, client)
     values ($1, $2, $3, $1, $4, $4, $5, 'test')`,
    [
      sessionId,
      Buffer.from(sessionId.replaceAll("-", "").padEnd(64, "0"), "hex"),
      userId,
      nowMs,
      nowMs + dayMs,
    ],
  );
  return { userId, sessionId };
}

const getOutcome = async (attempt: Promise<unknown>) => {
  try {
    await attempt;
    return "passed";
  } catch (error) {
    return (error as { error: string }).error;
  }
};
const tryPin = (text: string | undefined, by = owner) => getOutcome(pin.check(by, text));

test("a person without a PIN is never asked for one", async () => {
  expect([await tryPin(undefined), await tryPin("123456")]).toEqual(["passed", "passed"]);
});

test("a person with a PIN passes only with the right one", async () => {
  await pin.set(owner, "135790", undefined);
  const outcomes = [];
  for (const text of [undefined, "", "000000", "13579", "１３５７９０", "135790"])
    outcomes.push(await tryPin(text));
  expect(outcomes).toEqual([
    "pin.required",
    "pin.required",
    "pin.wrong",
    "pin.wrong",
    "pin.wrong",
    "passed",
  ]);
});

test("a PIN is stored only as a salted scrypt hash", async () => {
  await pin.set(owner, "135790", undefined);
  const otherOwner = await signIn();
  await pin.set(otherOwner, "135790", undefined);
  const { rows } = await ctx.database.pool.query(
    "select scheme, salt, hash, user_pin::text as whole from user_pin where user_id = any($1)",
    [[owner.userId, otherOwner.userId]],
  );
  expect(rows.map(({ scheme }) => scheme)).toEqual(["scrypt/15/8/3", "scrypt/15/8/3"]);
  expect(rows[0].hash.equals(rows[1].hash)).toBe(false);
  expect(rows[0].whole).not.toContain("135790");
});

describe("consecutive wrong PINs", () => {
  test("delays grow without locking for good, and a right PIN resets the count", async () => {
    await pin.set(owner, "135790", undefined);
    const waits: (number | string)[] = [];
    for (let number = 1; number <= 9; number += 1) {
      const failure = await pin.check(owner, "000000").catch((error) => error);
      const seconds = failure.data?.retry_after_seconds ?? 0;
      waits.push(seconds);
      if (seconds === 0) continue;
      expect(await tryPin("135790")).toBe("pin.locked");
      ctx.realClock.advanceMs(seconds * 1_000 - 1);
      expect(await tryPin("135790")).toBe("pin.locked");
      ctx.realClock.advanceMs(1);
    }
    expect(waits).toEqual([0, 0, 0, 30, 60, 300, 900, 3_600, 3_600]);
    expect(await tryPin("135790")).toBe("passed");
    expect((await pin.check(owner, "000000").catch((error) => error)).data).toBeNull();
  });

  test("concurrent wrong PINs get no more attempts than sequential ones", async () => {
    await pin.set(owner, "135790", undefined);
    const processes = [pin, createPin(ctx, deps), createPin(ctx, deps)];
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        getOutcome(processes[index % 3]!.check(owner, `00000${index % 10}`)),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === "pin.wrong").length).toBe(4);
    expect(outcomes.filter((outcome) => outcome === "pin.locked").length).toBe(8);
  });

  test("concurrent right PINs all pass", async () => {
    await pin.set(owner, "135790", undefined);
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => tryPin("135790")));
    expect(new Set(outcomes)).toEqual(new Set(["passed"]));
  });

  test("a clock set back locks no one out", async () => {
    await pin.set(owner, "135790", undefined);
    for (let number = 1; number <= 4; number += 1) await tryPin("000000");
    expect(await tryPin("135790")).toBe("pin.locked");
    const nowMs = ctx.realClock.nowMs();
    ctx.realClock.setMs(nowMs - dayMs);
    expect(await tryPin("135790")).toBe("passed");
    ctx.realClock.setMs(nowMs);
  });
});

describe("changing and removing a PIN", () => {
  test("changing or removing a PIN requires the current one", async () => {
    await pin.set(owner, "135790", undefined);
    expect(await getOutcome(pin.set(owner, "222222", undefined))).toBe("pin.required");
    expect(await getOutcome(pin.set(owner, "222222", "111111"))).toBe("pin.wrong");
    expect(await getOutcome(pin.remove(owner, undefined))).toBe("pin.required");
    expect(await getOutcome(pin.set(owner, "222222", "135790"))).toBe("passed");
    expect(await tryPin("222222")).toBe("passed");
    expect(await getOutcome(pin.remove(owner, "222222"))).toBe("passed");
    expect(await tryPin(undefined)).toBe("passed");
  });

  test("a sign-in within the last five minutes replaces the PIN and ends a delay", async () => {
    await pin.set(owner, "135790", undefined);
    for (let number = 1; number <= 5; number += 1) await tryPin("000000");
    const newSession = await signIn(owner.userId);
    expect((await pin.state(newSession)).freshUntilMs).toBe(ctx.realClock.nowMs() + 5 * minute);
    ctx.realClock.advanceMs(5 * minute);
    expect(await getOutcome(pin.set(newSession, "222222", undefined))).toBe("passed");
    expect(await tryPin("222222")).toBe("passed");
    ctx.realClock.advanceMs(1);
    expect(await getOutcome(pin.remove(newSession, undefined))).toBe("pin.required");
    expect((await pin.state(newSession)).freshUntilMs).toBeNull();
  });

  test("another person's session is not a fresh sign-in", async () => {
    await pin.set(owner, "135790", undefined);
    const stranger = await signIn();
    const mixedOwner = { userId: owner.userId, sessionId: stranger.sessionId };
    expect(await getOutcome(pin.set(mixedOwner, "222222", undefined))).toBe("pin.required");
  });
});

describe("one account cannot block others' PIN checks", () => {
  test("a person may change the PIN five times, then once every twelve minutes", async () => {
    const outcomes = [];
    for (let index = 0; index < 4; index += 1)
      outcomes.push(await getOutcome(pin.set(owner, "135790", "135790")));
    outcomes.push(await getOutcome(pin.remove(owner, "135790")));
    outcomes.push(await getOutcome(pin.set(owner, "246800", undefined)));
    expect(outcomes).toEqual([...Array(5).fill("passed"), "request.too_many"]);
    expect(await getOutcome(pin.set(await signIn(), "246800", undefined))).toBe("passed");
    ctx.realClock.advanceMs(12 * minute);
    expect(await getOutcome(pin.set(owner, "246800", undefined))).toBe("passed");
    expect(await getOutcome(pin.remove(owner, "246800"))).toBe("request.too_many");
  });

  test("one person's changes are hashed one at a time", async () => {
    const { hasher, most } = countingHasher();
    const countingPin = createPin(ctx, deps, hasher);
    const outcomes = await Promise.all(
      Array.from({ length: 25 }, () => getOutcome(countingPin.set(owner, "135790", "135790"))),
    );
    expect(outcomes.filter((outcome) => outcome === "passed").length).toBe(5);
    expect(outcomes.filter((outcome) => outcome === "request.too_many").length).toBe(20);
    expect(most()).toBe(1);
  });

  test("a check has a slot while new PINs fill their part of the queue", async () => {
    const limits = { all: { atOnce: 2, waiting: 8 }, making: { atOnce: 1, waiting: 3 } };
    const hasher = createSecretHasher(limits);
    const secretHash = await hasher.make("135790");
    const making = Array.from({ length: 6 }, () => getOutcome(hasher.make("135790")));
    let madeCount = 0;
    for (const check of making)
      void check.then((outcomes) => (madeCount += outcomes === "passed" ? 1 : 0));
    expect(await hasher.matches("135790", secretHash)).toBe(true);
    expect(madeCount).toBeLessThanOrEqual(2);
    const outcomes = await Promise.all(making);
    expect(outcomes.toSorted()).toEqual([
      ...Array(4).fill("passed"),
      ...Array(2).fill("server.unavailable"),
    ]);
  }, 60_000);
});

/** A slow hasher that records the most hashes run concurrently. */
function countingHasher() {
  let running = 0;
  let peak = 0;
  const count = async <Result>(result: Result): Promise<Result> => {
    running += 1;
    peak = Math.max(peak, running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    return result;
  };
  const hash = { scheme: "scrypt/15/8/3", salt: Buffer.alloc(16), hash: Buffer.alloc(32) };
  return { hasher: { make: () => count(hash), matches: () => count(true) }, most: () => peak };
}

test("a PIN that a busy server could not check does not count as wrong", async () => {
  await pin.set(owner, "135790", undefined);
  const busy = createPin(ctx, deps, {
    make: async () => Promise.reject(new ApiError("server.unavailable")),
    matches: async () => Promise.reject(new ApiError("server.unavailable")),
  });
  for (let index = 0; index < 8; index += 1) {
    expect(await getOutcome(busy.check(owner, "135790"))).toBe("server.unavailable");
  }
  expect((await pin.state(owner)).lockedUntilMs).toBeNull();
  expect(await getOutcome(pin.check(owner, "246800"))).toBe("pin.wrong");
  await pin.check(owner, "135790");
});

test("no HTTP answer contains the PIN, and a malformed one is reported by field", async () => {
  const request = async (
    call: { method: "GET" | "POST"; path: string },
    payload: Record<string, string> = {},
  ) => {
    const answer = await app.inject({
      method: call.method,
      url: call.path,
      headers: { token: owner.sessionId },
      ...(call.method === "POST" ? { payload } : {}),
    });
    return { status: answer.statusCode, text: answer.body, ...answer.json() };
  };
  expect((await request(getPin)).data).toMatchObject({ set: false, locked_until_ms: null });
  const set = await request(setPin, { pin: "987612" });
  expect([set.status, set.data, set.msg]).toEqual([200, { set: true }, "PIN set."]);
  const malformed = await request(setPin, { pin: "98761", current_pin: "987612" });
  expect([malformed.error, malformed.data]).toEqual(["request.malformed", { field: "pin" }]);
  const refusal = await request(removePin, { current_pin: "987613" });
  expect([refusal.status, refusal.error]).toEqual([403, "pin.wrong"]);
  for (const { text } of [set, malformed, refusal]) expect(text).not.toMatch(/9876/);
  expect((await request(removePin, { current_pin: "987612" })).data).toEqual({ set: false });
});
