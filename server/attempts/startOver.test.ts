import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { getAttempts, startOver } from "#api/attempts.ts";
import type { AnswerOf, Call } from "#api/call.ts";
import { getContractDetails, placeOrder } from "#api/contracts.ts";
import { getUserInfo } from "#api/session.ts";
import { getWalletDetails, getWalletHistory, getWalletList } from "#api/wallet.ts";
import { getWithdrawList, withdraw } from "#api/withdraw.ts";
import { deriveAddress } from "#core/addresses/address.ts";
import { dayMs } from "#core/money/time.ts";
import type { World } from "#server/app/modules.ts";
import type { App } from "#server/platform/http/context.ts";
import { type createClient, newKey, signIn, type TestSession } from "#server/testing/client.ts";
import { createTestApp, listenForClient, type TestApp } from "#server/testing/testApp.ts";
import type { TestContext } from "#server/testing/testContext.ts";

/** Starting over in a whole world, alongside orders, withdrawals and settlement. */
let ctx: TestContext;
let world: World;
let app: App;
let close: TestApp["close"];
let client: ReturnType<typeof createClient>;
let person: TestSession;
let termsHash: string;

beforeAll(async () => {
  ({ ctx, world, app, close } = await createTestApp());
  client = await listenForClient(app);
  await seconds(3);
  const { data } = (
    await app.inject({ url: `${getContractDetails.path}?contract_id=btc-usdt` })
  ).json();
  termsHash = data.terms.terms_hash;
});
afterAll(async () => {
  client.close();
  await close();
});
beforeEach(async () => {
  ctx.realClock.advanceMs(dayMs);
  await seconds(2);
  await newPerson();
});

/** Advances world and real time, closes the seconds and settles due orders. */
async function seconds(count: number) {
  for (let n = 0; n < count; n += 1) {
    ctx.realClock.advanceMs(1_000);
    ctx.clock.advanceTo(ctx.clock.nowMs() + 1_000);
    await world.services.market.feed.tick();
  }
  await world.services.transparencyLog.integrate();
  await world.services.contracts.settleDue();
}

/** Signs in a new person whose session outlives the days that a test skips. */
async function newPerson() {
  person = await signIn(client);
  await sql`
    update user_session set expires_at_ms = expires_at_ms + ${100 * dayMs}::bigint,
      last_seen_at_ms = last_seen_at_ms + ${100 * dayMs}::bigint`.execute(ctx.owner.db);
}

interface Answer<C> {
  code: number;
  error?: string;
  data: AnswerOf<C>;
}
async function call<C extends Call>(
  { method, path }: C,
  input: Record<string, string | number> = {},
  key = newKey(),
): Promise<Answer<C>> {
  const query = method === "GET" ? `?${new URLSearchParams(input as Record<string, string>)}` : "";
  const answer = await app.inject({
    method,
    url: path + query,
    headers: { token: person.token, "idempotency-key": key },
    ...(method === "POST" ? { payload: input } : {}),
  });
  return answer.json();
}
const attemptId = async () => (await call(getUserInfo)).data.attempt_id as string;
const order = (stake: string, key = newKey()) =>
  call(
    placeOrder,
    { contract_id: "btc-usdt", direction: "up", stake, tier: 60, terms_hash: termsHash },
    key,
  );
const take = (amount: string, key = newKey()) =>
  call(
    withdraw,
    {
      coin: "pUSDT",
      amount,
      address: deriveAddress(ctx.world.name, person.userId, "peth"),
    },
    key,
  );
const callStartOver = async (key = newKey()) =>
  call(startOver, { attempt_id: await attemptId() }, key);

/** Invariants that must hold in every case, read through the ledger's own views. */
async function checkNothingCrossed() {
  const { db } = ctx.owner;
  const toRows = async (query: ReturnType<typeof sql>) => (await query.execute(db)).rows;
  expect(await toRows(sql`select coin, total from trial_balance where total <> 0`)).toEqual([]);
  // A settlement is one journal for many orders; every other journal belongs to one attempt of a
  // person.
  expect(
    await toRows(sql`
      select e.journal_id from entry e join account a on a.id = e.account join journal j on j.id = e.journal_id
      where not a.house and j.kind not like 'contract.settle%'
      group by e.journal_id, a.owner having count(distinct a.attempt_id) > 1`),
  ).toEqual([]);
  expect(
    await toRows(sql`
      select o.id from contract_order o join account a on a.id = o.account where a.attempt_id <> o.attempt_id`),
  ).toEqual([]);
  // Every attempt was started exactly once, with 10 000 pUSDT.
  expect(
    await toRows(sql`
      select t.attempt_id from user_attempt t
        left join account a on a.attempt_id = t.attempt_id and not a.house
        left join entry e on e.account = a.id
        left join journal j on j.id = e.journal_id and j.kind = 'attempt.start'
      group by t.attempt_id having count(j.id) <> 1 or sum(e.amount) filter (where j.id is not null) <> 10000000000`),
  ).toEqual([]);
}

/** Pays what waits by the 24 hours of real time, without two minutes of market seconds. */
async function payWithdrawals() {
  ctx.realClock.advanceMs(dayMs);
  await ctx.jobs.runNow("withdraw.day");
}

async function checkNothingWaits() {
  await payWithdrawals();
  await ctx.jobs.runNow("attempts.settle");
  const { rows } = await sql`
    select a.attempt_id from account a join attempt_closing c using (attempt_id)
    where a.kind = 'held' and a.balance <> 0`.execute(ctx.owner.db);
  expect(rows).toEqual([]);
}

test("an old attempt keeps its open orders and pays its withdrawals", async () => {
  const first = await attemptId();
  const placement = await order("100");
  expect(placement.error).toBeUndefined();
  expect((await take("500")).error).toBeUndefined();
  const { data } = await callStartOver();
  expect(await attemptId()).toBe(data.attempt_id);
  const [now, previous] = (await call(getAttempts)).data.items;
  expect([now!.total, previous!.total]).toEqual(["10000", "9899"]);
  expect(previous!.running).toMatchObject([{ about: "contract", count: 1 }]);
  await seconds(75);
  await payWithdrawals();
  const [, after] = (await call(getAttempts)).data.items;
  expect(after!.running).toEqual([]);
  const { items: withdrawals } = (await call(getWithdrawList)).data;
  expect(withdrawals).toMatchObject([{ attempt_id: first, amount: "500", outcome: "left" }]);
  expect(after!.fees).toBe("2");
  expect((await call(getWalletList)).data.total).toBe("10000");
  const history = await call(getWalletHistory, { attempt_id: first, range: "all" });
  expect(history.data.points.at(-1)![1]).toBe(after!.total);
  await checkNothingWaits();
  await checkNothingCrossed();
});

test("a key used in the old attempt returns its answer and does nothing else", async () => {
  const key = newKey();
  const placement = await order("10", key);
  await callStartOver();
  expect((await order("10", key)).data).toEqual(placement.data);
  expect((await call(getWalletList)).data.total).toBe("10000");
  await checkNothingCrossed();
});

test("concurrent orders, withdrawals and starts each apply to one attempt only", async () => {
  for (let round = 0; round < 4; round += 1) {
    ctx.realClock.advanceMs(dayMs);
    await seconds(2);
    await newPerson();
    const results = await Promise.all([
      order("10"),
      take("30"),
      callStartOver(),
      order("10"),
      take("40"),
      callStartOver(),
      order("10"),
      take("all"),
      order("10"),
    ]);
    const allowed = [
      undefined,
      "attempts.once_a_day",
      "attempts.not_current",
      "ledger.overdraft",
      "withdraw.nothing",
    ];
    expect(results.map(({ error }) => error).filter((error) => !allowed.includes(error))).toEqual(
      [],
    );
    expect((await call(getAttempts)).data.items).toHaveLength(2);
    await checkNothingCrossed();
  }
  await seconds(75);
  await checkNothingWaits();
  await checkNothingCrossed();
});

test("over random days no money crosses between attempts and every coin sums to zero", async () => {
  let state = 42;
  const random = (end: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor(state / 65_536) % end;
  };
  let startCount = 1;
  for (let step = 0; step < 60; step += 1) {
    const choice = random(10);
    if (choice < 4) await order(String(10 + random(200)));
    else if (choice < 6) await take(String(25 + random(300)));
    else if (choice < 8) await seconds(1 + random(20));
    else if (choice < 9) {
      ctx.realClock.advanceMs(dayMs / 2);
      await seconds(2);
    } else if ((await callStartOver()).code === 1) startCount += 1;
    ctx.realClock.advanceMs(1_000);
    if (step % 10 === 9) await checkNothingCrossed();
  }
  await seconds(75);
  await checkNothingWaits();
  await checkNothingCrossed();
  expect(startCount).toBeGreaterThan(1);
});

test("an open session elsewhere switches to the new attempt immediately", async () => {
  const otherToken = person.token;
  expect((await call(getWalletList)).data.total).toBe("10000");
  await order("100");
  await callStartOver();
  const answer = await app.inject({ url: getWalletList.path, headers: { token: otherToken } });
  expect(answer.json().data.total).toBe("10000");
});

test("a coin's page shows the withdrawal fee and the room for recharges", async () => {
  const { data } = await call(getWalletDetails, { coin: "pBTC", display_currency: "pETH" });
  expect(data).toMatchObject({
    coin: "pBTC",
    display_currency: "pETH",
    networks: ["pbtc"],
    withdraw: { fee: "0.0001" },
    recharge_room: "10000",
    price: { symbol: "BTC/USDT" },
  });
  expect(data.price!.leaf).toBeGreaterThan(0);
});
