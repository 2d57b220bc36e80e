import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { defineCall } from "#api/call.ts";
import { idempotentRoute } from "#server/ledger/idempotentRoute.ts";
import { requirePosted } from "#server/ledger/keys.ts";
import { createLedger } from "#server/ledger/ledger.ts";
import {
  createJournal,
  createMoveLegs,
  createPersonWith,
  type Person,
} from "#server/ledger/testing.ts";
import type { Ledger } from "#server/ledger/types.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { App } from "#server/platform/http/context.ts";
import { createTestApp } from "#server/testing/http.ts";
import { createTestContext, type TestContext } from "#server/testing/testContext.ts";

const pay = defineCall({
  method: "POST",
  path: "/api/test/pay",
  summary: "Pays the house",
  access: "user",
  money: true,
  input: z.object({ amount: z.string() }),
  answer: z.object({ id: z.string() }),
  errors: [],
});

let ctx: TestContext;
let ledger: Ledger;
let app: App;
let person: Person;
let house: bigint;
let runs = 0;
let refuseWith: ApiError | null = null;
beforeAll(async () => {
  ctx = await createTestContext();
  ledger = createLedger(ctx);
  house = await ledger.account("house", "contracts", "pUSDT");
  app = await mountOn(false);
});

function mountOn(optimistic: boolean): Promise<App> {
  const mount = (app: App) =>
    idempotentRoute(app, ledger, pay, {
      optimistic,
      find: async (id) => ({ id }),
      run: async ({ amount }, id, bodyHash) => {
        runs += 1;
        if (refuseWith) throw refuseWith;
        requirePosted(
          await ledger.post(
            createJournal(createMoveLegs(person.wallet, house, BigInt(amount)), { id, bodyHash }),
          ),
        );
        return { id };
      },
    });
  return createTestApp(ctx, mount, async (token) => ({
    sessionId: token,
    userId: token,
    attemptId: person.attemptId,
    expiresAtMs: 0,
  }));
}
afterAll(async () => {
  await app.close();
  await ledger.stop();
  await ctx.destroy();
});
beforeEach(async () => {
  person = await createPersonWith(ledger, 100n);
  runs = 0;
  refuseWith = null;
  ctx.realClock.advanceMs(10_000);
});

const newKey = () => randomUUID().replace(/^(.{14})./, "$17");
async function call(key: string | null, amount = "10", token = "alice") {
  const answer = await app.inject({
    method: "POST",
    url: pay.path,
    payload: { amount },
    headers: { token, ...(key === null ? {} : { "idempotency-key": key }) },
  });
  const { error, data } = answer.json();
  return { status: answer.statusCode, error, data };
}
const readRemaining = async () => (await ledger.balances(person.attemptId))[0]!.available;

describe("an optimistic call", () => {
  /** A separate process on the same ledger. */
  const start = () => mountOn(true);
  const ask = async (server: App, key: string, amount = "10") => {
    const answer = await server.inject({
      method: "POST",
      url: pay.path,
      payload: { amount },
      headers: { token: "alice", "idempotency-key": key },
    });
    return answer.json().error ?? answer.json().data.id;
  };

  test("another process's outcomes are returned", async () => {
    const [first, second] = [await start(), await start()];
    const [postedKey, refusedKey] = [newKey(), newKey()];
    const id = await ask(first, postedKey);
    refuseWith = new ApiError("contracts.terms_changed");
    expect(await ask(first, refusedKey)).toBe("contracts.terms_changed");
    // A newly computed answer does not count.
    refuseWith = new ApiError("contracts.no_price");
    expect([await ask(second, postedKey), await ask(second, refusedKey)]).toEqual([
      id,
      "contracts.terms_changed",
    ]);
    refuseWith = null;
    const three = await start();
    expect([await ask(three, postedKey), await ask(three, refusedKey)]).toEqual([
      id,
      "contracts.terms_changed",
    ]);
    const four = await start();
    expect(await ask(four, postedKey, "11")).toBe("idempotency.body_changed");
    expect(await readRemaining()).toBe(90n);
    for (const app of [first, second, three, four]) await app.close();
  });

  test("a key that this process has seen does not run again", async () => {
    const app = await start();
    const key = newKey();
    const id = await ask(app, key);
    expect(await ask(app, key)).toBe(id);
    expect(runs).toBe(1);
    await app.close();
  });
});

describe("a field excluded from the hash", () => {
  test("an excluded field may change between retries and is in no hash", async () => {
    const withPin = defineCall({
      ...pay,
      path: "/api/test/payWithPin",
      input: z.object({ amount: z.string(), pin: z.optional(z.string()) }),
    });
    const hashes: string[] = [];
    const mount = (app: App) =>
      idempotentRoute(app, ledger, withPin, {
        excludeFromHash: ["pin"],
        find: async (id) => ({ id }),
        run: async ({ amount, pin }, id, bodyHash) => {
          hashes.push(Buffer.from(bodyHash).toString("hex"));
          if (pin !== "135790") throw new ApiError("pin.wrong");
          const legs = createMoveLegs(person.wallet, house, BigInt(amount));
          requirePosted(await ledger.post(createJournal(legs, { id, bodyHash })));
          return { id };
        },
      });
    const item = await createTestApp(ctx, mount, async (token) => ({
      sessionId: token,
      userId: token,
      attemptId: person.attemptId,
      expiresAtMs: 0,
    }));
    const key = newKey();
    const request = async (payload: Record<string, string>) => {
      const headers = { token: "alice", "idempotency-key": key };
      const answer = await item.inject({ method: "POST", url: withPin.path, payload, headers });
      return answer.json().error ?? "posted";
    };
    expect([
      await request({ amount: "10", pin: "111111" }),
      await request({ amount: "10", pin: "135790" }),
      await request({ amount: "10" }),
      await request({ amount: "11", pin: "135790" }),
    ]).toEqual(["pin.wrong", "posted", "posted", "idempotency.body_changed"]);
    expect(new Set(hashes).size).toBe(1);
    expect(await readRemaining()).toBe(90n);
    await item.close();
  });
});

describe("the idempotency key", () => {
  test.each<[string, string | null, string]>([
    ["missing", null, "idempotency.key_missing"],
    ["empty", "", "idempotency.key_missing"],
    ["a random UUID", "9b2c1c1e-3d0f-4c56-8a1b-0242ac120002", "idempotency.key_malformed"],
    ["a word", "order-1", "idempotency.key_malformed"],
    ["a key with a line break", `${"0".repeat(8)}\n`, "idempotency.key_malformed"],
  ])("%s is refused and nothing runs", async (_title, key, error) => {
    expect(await call(key)).toMatchObject({ status: 400, error });
    expect(runs).toBe(0);
  });

  test("an upper-case key is the same key", async () => {
    const key = newKey();
    const first = await call(key);
    expect(await call(key.toUpperCase())).toEqual(first);
    expect(await readRemaining()).toBe(90n);
  });

  test("one key sent by two users is two keys", async () => {
    const key = newKey();
    const [alice, bob] = [await call(key), await call(key, "10", "bob")];
    expect(alice.data.id).not.toBe(bob.data.id);
    expect(await readRemaining()).toBe(80n);
  });
});

test("a posting by another process takes precedence over a later refusal", async () => {
  let posting: Promise<unknown> | null = null;
  const mount = (app: App) =>
    idempotentRoute(app, ledger, pay, {
      find: async (id) => ({ id }),
      run: async ({ amount }, id, bodyHash) => {
        const legs = createMoveLegs(person.wallet, house, BigInt(amount));
        posting ??= ledger.post(createJournal(legs, { id, bodyHash }));
        await posting;
        throw new ApiError("contracts.terms_changed");
      },
    });
  const item = await createTestApp(ctx, mount, async (token) => ({
    sessionId: token,
    userId: token,
    attemptId: person.attemptId,
    expiresAtMs: 0,
  }));
  const headers = { token: "alice", "idempotency-key": newKey() };
  const request = () =>
    item.inject({ method: "POST", url: pay.path, payload: { amount: "10" }, headers });
  const [first, repeated] = [await request(), await request()];
  expect(first.json().data).toEqual({ id: expect.any(String) });
  expect(repeated.json().data).toEqual(first.json().data);
  expect(await readRemaining()).toBe(90n);
  await item.close();
});

describe("a repeated key", () => {
  test("a repeated key returns the first answer and moves nothing", async () => {
    const key = newKey();
    const first = await call(key);
    expect(first.status).toBe(200);
    expect(await call(key)).toEqual(first);
    expect([runs, await readRemaining()]).toEqual([1, 90n]);
  });

  test("a repeated key with another body is refused", async () => {
    const key = newKey();
    await call(key);
    expect(await call(key, "11")).toMatchObject({ status: 409, error: "idempotency.body_changed" });
    expect(await readRemaining()).toBe(90n);
  });

  test("concurrent calls with one key share a run, and another body is refused", async () => {
    const key = newKey();
    const answers = await Promise.all([call(key), call(key), call(key, "11"), call(key)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 409, 200]);
    expect([runs, await readRemaining()]).toEqual([1, 90n]);
  });

  test("a final refusal is returned again even if the call would succeed now", async () => {
    const key = newKey();
    expect(await call(key, "500")).toMatchObject({ status: 409, error: "ledger.overdraft" });
    await ledger.post(createJournal(createMoveLegs(house, person.wallet, 1_000n)));
    expect(await call(key, "500")).toMatchObject({ status: 409, error: "ledger.overdraft" });
    expect(await call(key, "5")).toMatchObject({ error: "idempotency.body_changed" });
    expect(runs).toBe(1);
  });

  test("a stored refusal of a domain keeps its data", async () => {
    const key = newKey();
    refuseWith = new ApiError("contracts.stake_too_small", { minimum: "10" });
    const first = await call(key);
    refuseWith = null;
    expect(await call(key)).toEqual(first);
    expect(first.data).toEqual({ minimum: "10" });
    expect(await readRemaining()).toBe(100n);
  });

  test.each([
    "server.unavailable",
    "contracts.exposure_full",
    "contracts.no_price",
  ] as const)("%s is not stored and the call can be retried", async (error) => {
    const key = newKey();
    refuseWith = new ApiError(error);
    expect((await call(key)).error).toBe(error);
    refuseWith = null;
    expect((await call(key)).status).toBe(200);
    expect(await readRemaining()).toBe(90n);
  });

  test("an internal error is not stored and the call can be retried", async () => {
    const key = newKey();
    refuseWith = new Error("broken") as ApiError;
    expect((await call(key)).status).toBe(500);
    refuseWith = null;
    expect((await call(key)).status).toBe(200);
  });
});
