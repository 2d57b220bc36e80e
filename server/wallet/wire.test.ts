import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startOver } from "#api/attempts.ts";
import { exchangeCoin, quoteExchange } from "#api/exchange.ts";
import { setPin } from "#api/pin.ts";
import { getReceiveAddress, send } from "#api/send.ts";
import { createSession, getNonce } from "#api/session.ts";
import { getWithdrawTerms, withdraw } from "#api/withdraw.ts";
import { hashBody } from "#core/ledger/ids.ts";
import type { Coin } from "#core/money/coins.ts";
import { dayMs } from "#core/money/time.ts";
import type { World } from "#server/app/modules.ts";
import { createAudit } from "#server/ledger/audit/audit.ts";
import type { App } from "#server/platform/http/context.ts";
import { newKey } from "#server/testing/client.ts";
import { signNonce } from "#server/testing/signNonce.ts";
import { createTestApp, type TestApp } from "#server/testing/testApp.ts";
import type { TestContext } from "#server/testing/testContext.ts";
import { createAddress } from "#server/withdraw/testing.ts";

/**
 * Money calls of the wallet over the wire, against the whole server: keys, PIN, and starting over
 * in the middle of it.
 */
let ctx: TestContext;
let world: World;
let app: App;
let close: TestApp["close"];
let people = 0;

beforeAll(async () => {
  ({ ctx, world, app, close } = await createTestApp());
});
beforeEach(async () => {
  ctx.realClock.advanceMs(dayMs);
  ctx.clock.advanceTo(ctx.clock.nowMs() + 1_000);
  await world.services.market.feed.tick();
});
afterAll(async () => {
  const { findings } = await createAudit(ctx).run();
  expect(findings).toEqual([]);
  await close();
});

interface Call {
  method: "GET" | "POST";
  path: string;
}
type Input = Record<string, unknown>;
interface Answer {
  code: number;
  error?: string;
  // biome-ignore lint/suspicious/noExplicitAny: each test checks the fields it reads
  data: any;
}

async function ask(call: Call, input: Input, token?: string, key?: string): Promise<Answer> {
  const query =
    call.method === "GET" ? `?${new URLSearchParams(input as Record<string, string>)}` : "";
  const answer = await app.inject({
    method: call.method,
    url: call.path + query,
    headers: {
      host: "localhost",
      ...(token ? { token } : {}),
      ...(key ? { "idempotency-key": key } : {}),
    },
    ...(call.method === "POST" ? { payload: input } : {}),
  });
  return answer.json();
}

/** A new person, signed in. */
async function newPerson() {
  people += 1;
  const account = privateKeyToAccount(`0x${(9_000 + people).toString(16).padStart(64, "0")}`);
  const { address } = account;
  ctx.realClock.advanceMs(10_000);
  const { data } = await ask(getNonce, { address, chain_id: "1" });
  const { message, signature } = await signNonce(account, data);
  const answer = await ask(createSession, { address, type: "erc", message, signature });
  const { token, user_id: userId } = answer.data as { token: string; user_id: string };
  const attemptId = (await world.services.session.user(userId)).attemptId;
  return { token, userId, attemptId };
}

async function available(attemptId: string, coin: Coin = "pUSDT"): Promise<bigint> {
  return (await world.services.ledger.balances(attemptId)).find((balance) => balance.coin === coin)!
    .available;
}
const getCurrent = async (userId: string) => (await world.services.session.user(userId)).attemptId;
const unit = 1_000_000n;
const params = { from: "pUSDT", to: "pBTC", amount: "1000" };

describe("exchanging over HTTP", () => {
  test("a key is one exchange under concurrent calls and after its quote expired", async () => {
    const person = await newPerson();
    const quote = (await ask(quoteExchange, params, person.token)).data;
    const input = { quote_id: quote.quote_id };
    const key = newKey();
    const askAgain = () => ask(exchangeCoin, input, person.token, key);
    const answers = await Promise.all([askAgain(), askAgain(), askAgain(), askAgain(), askAgain()]);
    ctx.realClock.advanceMs(3_600_000);
    answers.push(await askAgain());
    expect(new Set(answers.map((answer) => JSON.stringify(answer.data))).size).toBe(1);
    expect(await available(person.attemptId)).toBe(9_000n * unit);
    const otherInput = { quote_id: newKey() };
    expect((await ask(exchangeCoin, otherInput, person.token, key)).error).toBe(
      "idempotency.body_changed",
    );
    expect((await ask(exchangeCoin, input, person.token, newKey())).error).toBe(
      "exchange.quote_used",
    );
  });

  test.each([
    [undefined, "idempotency.key_missing"],
    ["7", "idempotency.key_malformed"],
  ])("key %j: %s", async (key, expected) => {
    const person = await newPerson();
    const quote = (await ask(quoteExchange, params, person.token)).data;
    const input = { quote_id: quote.quote_id };
    expect((await ask(exchangeCoin, input, person.token, key)).error).toBe(expected);
    expect((await ask(exchangeCoin, input, undefined, newKey())).error).toBe("session.required");
    expect(await available(person.attemptId)).toBe(10_000n * unit);
  });

  test("a quote of the old attempt cannot execute in the new one", async () => {
    const person = await newPerson();
    const quote = (await ask(quoteExchange, params, person.token)).data;
    await ask(startOver, { attempt_id: person.attemptId }, person.token, newKey());
    const input = { quote_id: quote.quote_id };
    expect((await ask(exchangeCoin, input, person.token, newKey())).error).toBe(
      "exchange.quote_unknown",
    );
    expect(await available(await getCurrent(person.userId))).toBe(10_000n * unit);
  });
});

describe("sending over HTTP", () => {
  test("the PIN is in no hash, so a key stays unused until the PIN is right", async () => {
    const [from, to] = [await newPerson(), await newPerson()];
    expect((await ask(setPin, { pin: "135790" }, from.token)).error).toBeUndefined();
    const { address } = (await ask(getReceiveAddress, { coin: "pUSDT" }, to.token)).data;
    const input = { coin: "pUSDT", address, amount: "25" };
    const key = newKey();
    expect((await ask(send, input, from.token, key)).error).toBe("pin.required");
    expect((await ask(send, { ...input, pin: "000000" }, from.token, key)).error).toBe("pin.wrong");
    expect(await available(to.attemptId)).toBe(10_000n * unit);
    const upload = await ask(send, { ...input, pin: "135790" }, from.token, key);
    expect(upload.error).toBeUndefined();
    // The first answer, even with another PIN now.
    for (const pin of [undefined, "000000", "135790"]) {
      expect((await ask(send, { ...input, pin }, from.token, key)).data).toEqual(upload.data);
    }
    expect(await available(to.attemptId)).toBe(10_025n * unit);
    const { rows } = await ctx.owner.pool.query("select body_hash from journal where id = $1", [
      upload.data.journal_id,
    ]);
    expect(Buffer.from(rows[0].body_hash)).toEqual(
      Buffer.from(hashBody(ctx.world.name, send.path, input)),
    );
    const changedInput = { ...input, amount: "26", pin: "135790" };
    expect((await ask(send, changedInput, from.token, key)).error).toBe("idempotency.body_changed");
  });

  test("twenty concurrent guesses get at most five tries", async () => {
    const [from, to] = [await newPerson(), await newPerson()];
    await ask(setPin, { pin: "135790" }, from.token);
    const { address } = (await ask(getReceiveAddress, { coin: "pUSDT" }, to.token)).data;
    const input = { coin: "pUSDT", address, amount: "25" };
    const guesses = Array.from({ length: 20 }, (_, index) =>
      ask(send, { ...input, pin: String(200_000 + index) }, from.token, newKey()),
    );
    const names = (await Promise.all(guesses)).map(({ error }) => error);
    expect(names.filter((name) => name === "pin.wrong").length).toBeLessThanOrEqual(5);
    expect(new Set(names)).toEqual(new Set(["pin.wrong", "pin.locked"]));
    const right = { ...input, pin: "135790" };
    expect((await ask(send, right, from.token, newKey())).error).toBe("pin.locked");
    // No other person has to wait for it.
    const returnAddress = (await ask(getReceiveAddress, { coin: "pUSDT" }, from.token)).data
      .address;
    const returnAnswer = await ask(send, { ...input, address: returnAddress }, to.token, newKey());
    expect(returnAnswer.error).toBeUndefined();
  });

  test("a send during the recipient's start over arrives in one attempt", async () => {
    const [from, to] = [await newPerson(), await newPerson()];
    const { address } = (await ask(getReceiveAddress, { coin: "pUSDT" }, to.token)).data;
    const input = { coin: "pUSDT", address, amount: "1" };
    const sendCalls = Array.from({ length: 12 }, () => ask(send, input, from.token, newKey()));
    const closing = ask(startOver, { attempt_id: to.attemptId }, to.token, newKey());
    const [answers, closed] = [await Promise.all(sendCalls), await closing];
    expect([...answers, closed].map(({ error }) => error).filter(Boolean)).toEqual([]);
    const bothBalances =
      (await available(to.attemptId)) + (await available(await getCurrent(to.userId)));
    expect(bothBalances).toBe(20_012n * unit);
    expect(await available(from.attemptId)).toBe(9_988n * unit);
  });
});

describe("starting over during other calls", () => {
  test("withdrawals, exchanges and sends in flight neither duplicate nor lose money", async () => {
    const [person, otherPerson] = [await newPerson(), await newPerson()];
    const { address } = (await ask(getReceiveAddress, { coin: "pUSDT" }, otherPerson.token)).data;
    const quote = (await ask(quoteExchange, params, person.token)).data;
    const input = { coin: "pUSDT", amount: "100", address: createAddress("pUSDT") };
    const inputWithAttempt = { ...input, attempt_id: person.attemptId };
    const { token } = person;
    const [closed, ...rest] = await Promise.all([
      ask(startOver, { attempt_id: person.attemptId }, token, newKey()),
      ask(exchangeCoin, { quote_id: quote.quote_id }, token, newKey()),
      ask(send, { coin: "pUSDT", address, amount: "10" }, token, newKey()),
      ...Array.from({ length: 4 }, () => ask(withdraw, input, token, newKey())),
      ...Array.from({ length: 4 }, () => ask(withdraw, inputWithAttempt, token, newKey())),
    ]);
    expect(closed.error).toBeUndefined();
    expect(
      rest
        .map(({ error }) => error)
        .filter(Boolean)
        .every((name) => ["exchange.quote_unknown", "attempts.not_current"].includes(name!)),
    ).toBe(true);
    ctx.realClock.advanceMs(61_000);
    await ctx.jobs.runNow("attempts.settle");
    ctx.clock.advanceTo(ctx.clock.nowMs() + 120_000);
    await world.services.withdraw.leaveDue();
    const { rows } = await ctx.owner.pool.query<{ left: bigint }>(
      "select coalesce(sum(amount), 0) as left from withdrawal where user_id = $1 and outcome = 'left'",
      [person.userId],
    );
    const [exchangeAnswer, sentAnswer] = rest;
    const spentAmount =
      (exchangeAnswer!.code === 1 ? 1_000n : 0n) + (sentAnswer!.code === 1 ? 10n : 0n);
    const bothBalances =
      (await available(person.attemptId)) + (await available(await getCurrent(person.userId)));
    expect(bothBalances + BigInt(rows[0]!.left)).toBe((20_000n - spentAmount) * unit);
    // The balance of the old one can be withdrawn too, to the last unit.
    const last = { ...inputWithAttempt, amount: "all" };
    expect((await ask(withdraw, last, token, newKey())).error).toBeUndefined();
    await ctx.jobs.runNow("attempts.settle");
    const terms = await ask(
      getWithdrawTerms,
      { coin: "pUSDT", attempt_id: person.attemptId },
      token,
    );
    expect(terms.data.available).toBe("0");
    expect(terms.data.held).not.toBe("0");
    const stranger = { coin: "pUSDT", attempt_id: person.attemptId };
    expect((await ask(getWithdrawTerms, stranger, otherPerson.token)).error).toBe(
      "attempts.unknown",
    );
    expect((await ask(withdraw, last, otherPerson.token, newKey())).error).toBe("attempts.unknown");
  });

  test("a used key returns its earlier answer", async () => {
    const person = await newPerson();
    const input = { coin: "pUSDT", amount: "100", address: createAddress("pUSDT") };
    const key = newKey();
    const first = await ask(withdraw, input, person.token, key);
    await ask(startOver, { attempt_id: person.attemptId }, person.token, newKey());
    expect((await ask(withdraw, input, person.token, key)).data).toEqual(first.data);
    expect(await available(await getCurrent(person.userId))).toBe(10_000n * unit);
    // The withdrawal outlives its attempt: its amount is still pending.
    expect(await available(person.attemptId)).toBe(9_900n * unit);
  });
});
