import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as api from "#api/contracts.ts";
import { contractsRoutes } from "#server/contracts/routes.ts";
import type { App } from "#server/platform/http/context.ts";
import { createTestContracts, type TestContracts } from "#server/testing/contracts.ts";
import { createTestApp } from "#server/testing/http.ts";
import type { Person } from "#server/testing/people.ts";

let t: TestContracts;
let app: App;
let person: Person;
let termsHash: string;

beforeAll(async () => {
  t = await createTestContracts();
  await t.tickTo(t.at(10));
  person = await t.openPerson();
  termsHash = (await t.params()).termsHash;
  app = await createTestApp(
    t.ctx,
    (item) => contractsRoutes(item, t.contracts),
    async (token) =>
      token === "mine" ? { ...person, sessionId: "s", expiresAtMs: Number.MAX_SAFE_INTEGER } : null,
  );
});
afterAll(async () => {
  await app.close();
  await t.destroy();
});

let keys = 0;
const newKey = () => {
  keys += 1;
  return `0199aaaa-0000-7000-8000-${String(keys).padStart(12, "0")}`;
};

async function call(
  call: { method: "GET" | "POST"; path: string },
  input: Record<string, unknown> = {},
  options: { token?: string | null; key?: string } = {},
) {
  const query = new URLSearchParams(input as Record<string, string>).toString();
  const response = await app.inject({
    method: call.method,
    url: call.method === "GET" ? `${call.path}?${query}` : call.path,
    headers: {
      host: "localhost",
      ...(options.token === null ? {} : { token: options.token ?? "mine" }),
      ...(options.key ? { "idempotency-key": options.key } : {}),
    },
    ...(call.method === "POST" ? { payload: input } : {}),
  });
  return { status: response.statusCode, ...response.json() };
}

const params = () => ({
  contract_id: "btc-usdt",
  direction: "up",
  stake: "100",
  tier: 60,
  terms_hash: termsHash,
});

describe("reading contracts", () => {
  test.each([
    ["all", 11],
    ["major", 4],
    ["alt", 4],
    ["stable", 3],
    ["followed", 0],
  ])("the contract list of type %s is complete", async (type, count) => {
    const { data } = await call(api.getContractList, { type });
    expect(data.items).toHaveLength(count);
    api.getContractList.answer.parse(data);
  });
  test("the followed list requires a session", async () => {
    expect(await call(api.getContractList, { type: "followed" }, { token: null })).toMatchObject({
      status: 401,
      error: "session.required",
    });
  });
  test("a followed contract is listed until it is unfollowed", async () => {
    await call(api.followContract, { contract_id: "btc-usdt", follow: true });
    const { data } = await call(api.getContractList, { type: "followed" });
    expect(data.items).toMatchObject([
      { contract_id: "btc-usdt", price: "23123.45", followed: true },
    ]);
    await call(api.followContract, { contract_id: "btc-usdt", follow: false });
    expect((await call(api.getContractList, { type: "followed" })).data.items).toEqual([]);
  });
  test("contract details include the cost of an order", async () => {
    const { data } = await call(
      api.getContractDetails,
      { contract_id: "btc-usdt" },
      { token: null },
    );
    api.getContractDetails.answer.parse(data);
    expect(data.terms.tiers[0]).toMatchObject({
      seconds: 60,
      break_even_bp: 5_316,
      cost_per_100: "6",
      orders_per_day: 5,
    });
    expect(data).toMatchObject({ exposure: { used: "0", cap: "1000000" }, mine: null });
  });
  test("a visitor does not see the number of orders left", async () => {
    const input = { contract_id: "btc-usdt" };
    const { data } = await call(api.getContractDetails, input, { token: null });
    expect(data.terms.tiers[0].orders_left_today).toBeNull();
  });
  test("klines come from the index", async () => {
    const { data } = await call(api.getKlineData, { contract_id: "btc-usdt", interval: "1m" });
    api.getKlineData.answer.parse(data);
    expect(data.items.at(-1)).toMatchObject({ 1: "23123.45", 4: "23123.45" });
  });
  test.each([
    [api.getContractDetails, {}],
    [api.getKlineData, { interval: "1m" }],
    [api.followContract, { follow: true }],
  ])("an unknown contract is refused", async (item, rest) => {
    expect(await call(item, { contract_id: "btc-eur", ...rest })).toMatchObject({
      status: 404,
      error: "contracts.unknown",
    });
  });
});

describe("placing orders over HTTP", () => {
  test("an order requires a session and an idempotency key", async () => {
    expect(await call(api.placeOrder, params(), { token: null, key: newKey() })).toMatchObject({
      error: "session.required",
    });
    expect(await call(api.placeOrder, params())).toMatchObject({
      error: "idempotency.key_missing",
    });
  });
  test("a repeated key returns one order and one answer, and another body is refused", async () => {
    const key = newKey();
    const [first, repeated] = await Promise.all([
      call(api.placeOrder, params(), { key }),
      call(api.placeOrder, params(), { key }),
    ]);
    const laterAnswer = await call(api.placeOrder, params(), { key });
    expect(first.status).toBe(200);
    expect(repeated.data).toEqual(first.data);
    expect(laterAnswer.data).toEqual(first.data);
    expect(await call(api.placeOrder, { ...params(), stake: "200" }, { key })).toMatchObject({
      status: 409,
      error: "idempotency.body_changed",
    });
    expect(await t.balance(person)).toBe(9_899_000_000n);
  });
  test("a final refusal is stored for its key, and a retryable one is not", async () => {
    const [final, retry] = [newKey(), newKey()];
    expect(await call(api.placeOrder, { ...params(), stake: "1" }, { key: final })).toMatchObject({
      error: "contracts.stake_too_small",
    });
    expect(await call(api.placeOrder, { ...params(), stake: "1" }, { key: final })).toMatchObject({
      error: "contracts.stake_too_small",
    });
    t.setLogLag(60_000);
    // The log's lag is read at most four times a second.
    t.ctx.realClock.advanceMs(250);
    expect(await call(api.placeOrder, params(), { key: retry })).toMatchObject({
      status: 503,
      error: "contracts.log_behind",
    });
    t.setLogLag(null);
    expect((await call(api.placeOrder, params(), { key: retry })).status).toBe(200);
  });
  test("an order is listed, found and settled, and its receipt appears with the log", async () => {
    const { data: placement } = await call(
      api.placeOrder,
      { ...params(), direction: "down" },
      { key: newKey() },
    );
    const input = { order_id: placement.order_id };
    expect((await call(api.getOrderList, { status: "waiting" })).data.items[0]).toMatchObject(
      input,
    );
    expect(await call(api.getReceipt, input)).toMatchObject({
      status: 409,
      error: "contracts.receipt_not_ready",
    });
    const now = (t.ctx.clock.nowMs() - t.at(0)) / 1_000;
    await t.tickTo(t.at(now + 70));
    await t.contracts.settleDue();
    const { data: order } = await call(api.findOrderStatus, input);
    api.findOrderStatus.answer.parse(order);
    expect(order).toMatchObject({
      status: "over",
      outcome: "tie",
      net: "-1",
      quote_change_bp: "0.00",
    });
    expect((await call(api.getReceipt, input)).data).toMatchObject({
      practice: true,
      backing: "none",
    });
    const { data: details } = await call(api.getContractDetails, { contract_id: "btc-usdt" });
    api.getContractDetails.answer.parse(details);
    expect(details).toMatchObject({
      instance: { settled: 3, lost: 0 },
      mine: { settled: 0, tied: 3, net: "-3" },
    });
  });
  test("the orders left in a tier count down across contracts and never below zero", async () => {
    const readRemaining = async (contractId: string) => {
      const { data } = await call(api.getContractDetails, { contract_id: contractId });
      return data.terms.tiers.map(
        (tier: { orders_left_today: number | null }) => tier.orders_left_today,
      );
    };
    const before = (await readRemaining("eth-usdt"))[0];
    expect(before).toBeGreaterThan(0);
    for (let i = 0; i < before; i += 1) {
      expect((await call(api.placeOrder, params(), { key: newKey() })).status).toBe(200);
      expect(await readRemaining("eth-usdt")).toEqual([before - i - 1, null, null, null, null]);
    }
    expect(await call(api.placeOrder, params(), { key: newKey() })).toMatchObject({
      error: "contracts.tier_used_up",
    });
    expect((await readRemaining("btc-usdt"))[0]).toBe(0);
  });
  test("pages stay stable while new orders arrive", async () => {
    for (let i = 0; i < 3; i += 1)
      await call(api.placeOrder, { ...params(), tier: 300 }, { key: newKey() });
    const first = (await call(api.getOrderList, { page_size: 2 })).data;
    await call(api.placeOrder, { ...params(), tier: 300 }, { key: newKey() });
    const second = (await call(api.getOrderList, { page_size: 2, page: 2, before: first.before }))
      .data;
    const orders = (await call(api.getOrderList, { page_size: 100 })).data.items as {
      order_id: string;
    }[];
    expect([...first.items, ...second.items].map((item) => item.order_id)).toEqual(
      orders.slice(1, 5).map((item) => item.order_id),
    );
    expect(await call(api.getOrderList, { before: "x" })).toMatchObject({ status: 400 });
  });
  test("another person's order is unknown", async () => {
    expect(
      await call(api.findOrderStatus, { order_id: "0199aaaa-0000-8000-8000-000000000001" }),
    ).toMatchObject({ error: "contracts.order_unknown" });
    expect(await call(api.findOrderStatus, { order_id: "x" })).toMatchObject({ status: 404 });
  });
});

describe("self limits over HTTP", () => {
  test("self limits are set, changed and shown", async () => {
    await call(api.setLossLimit, { daily_loss_limit: "50" });
    const { data } = await call(api.setLossLimit, { daily_loss_limit: "80" });
    api.setLossLimit.answer.parse(data);
    expect(data).toMatchObject({
      daily_loss_limit: "50",
      daily_loss_limit_next: { limit: "80" },
      lost_today: "3",
    });
    expect(await call(api.setLossLimit, { daily_loss_limit: "-1" })).toMatchObject({
      error: "money.amount_malformed",
    });
  });
  test("an exclusion that is not longer is refused", async () => {
    expect((await call(api.excludeMyself, { period: "forever" })).data).toMatchObject({
      excluded_for_good: true,
    });
    expect(await call(api.excludeMyself, { period: "month" })).toMatchObject({
      error: "contracts.exclusion_not_longer",
    });
    expect(await call(api.placeOrder, params(), { key: newKey() })).toMatchObject({
      error: "contracts.excluded",
    });
  });
});
