import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as api from "#api/hosting.ts";
import { canonicalText } from "#core/transparency-log/canonical.ts";
import { hostingRoutes } from "#server/hosting/routes.ts";
import type { App } from "#server/platform/http/context.ts";
import { newKey } from "#server/testing/client.ts";
import { createTestHosting, crossPlan, type TestHosting } from "#server/testing/hosting.ts";
import { createTestApp } from "#server/testing/http.ts";
import type { Person } from "#server/testing/people.ts";

let t: TestHosting;
let app: App;
let person: Person;

beforeAll(async () => {
  t = await createTestHosting({ plans: [crossPlan] });
  t.source.script = (venue, secondMs) =>
    venue === 1 && secondMs % 60_000 === 30_000 ? 2_012_000n : 2_000_000n;
  person = await t.openPerson();
  app = await createTestApp(
    t.ctx,
    (app) => hostingRoutes(app, t.hosting),
    async (token) =>
      token === "t" ? { ...person, sessionId: "s", expiresAtMs: Number.MAX_SAFE_INTEGER } : null,
  );
  await t.tickTo(t.at(26 * 60));
});
afterAll(async () => {
  await app.close();
  await t.destroy();
});

async function ask(
  call: { method: "GET" | "POST"; path: string; answer: { parse(data: unknown): unknown } },
  input: Record<string, unknown> = {},
  options: { key?: string; signedIn?: boolean } = {},
) {
  const headers: Record<string, string> = {};
  if (options.signedIn !== false) headers.token = "t";
  if (options.key) headers["idempotency-key"] = options.key;
  const query = new URLSearchParams(input as Record<string, string>).toString();
  const response = await app.inject({
    method: call.method,
    url: call.method === "GET" && query ? `${call.path}?${query}` : call.path,
    headers,
    ...(call.method === "POST" ? { payload: input } : {}),
  });
  const envelope = response.json() as { code: number; error?: string; data?: unknown };
  if (envelope.code === 1) call.answer.parse(envelope.data);
  return { status: response.statusCode, ...envelope, data: envelope.data as never };
}

// biome-ignore lint/suspicious/noExplicitAny: answers are checked against their schemas in ask
type Any = any;

describe("hosting over HTTP", () => {
  it("pools, history, trades and runs are public", async () => {
    const pools = (await ask(api.getProductList, {}, { signedIn: false })).data as Any;
    expect(pools.items).toHaveLength(1);
    expect(pools.items[0]).toMatchObject({ product_id: "cross-btc", mine: null, state: "open" });
    const history = (await ask(api.getNavHistory, { product_id: "cross-btc", range: "all" }))
      .data as Any;
    expect(history).toMatchObject({ marks: 26 });
    const trades = (await ask(api.getTrades, { product_id: "cross-btc", page_size: 3 }))
      .data as Any;
    expect(trades).toMatchObject({ has_more: true, page_size: 3 });
    const next = (
      await ask(api.getTrades, {
        product_id: "cross-btc",
        page: 2,
        page_size: 3,
        before: trades.before,
      })
    ).data as Any;
    expect(next.items[0].number).toBe(trades.items[2].number - 1);
    const item = (await ask(api.getTrade, { trade_id: trades.items[2].trade_id })).data as Any;
    expect(item.decision_books).toHaveLength(item.trade.legs.length);
    const run = (await ask(api.getRun, { product_id: "cross-btc" })).data as Any;
    expect(run).toMatchObject({ at_ms: t.at(26 * 60), decision: "idle" });
    expect(run.books).toHaveLength(2);
  });

  it("a repeated key returns the first answer, and another body is refused", async () => {
    const { termsHash } = (await t.hosting.pools.find("cross-btc"))!;
    const params = { product_id: "cross-btc", amount: "250", terms_hash: termsHash };
    const key = newKey();
    const [first, repeated] = [
      await ask(api.trusteeshipProduct, params, { key }),
      await ask(api.trusteeshipProduct, params, { key }),
    ];
    expect(repeated.data).toEqual(first.data);
    expect((first.data as Any).mark_at_ms).toBe(t.at(27 * 60));
    const otherAnswer = await ask(api.trusteeshipProduct, { ...params, amount: "251" }, { key });
    expect([otherAnswer.status, otherAnswer.error]).toEqual([409, "idempotency.body_changed"]);
    expect(await t.balance(person)).toBe(9_750_000_000n);
    expect((await ask(api.trusteeshipProduct, params)).error).toBe("idempotency.key_missing");
    expect(
      (await ask(api.trusteeshipProduct, params, { key: newKey(), signedIn: false })).error,
    ).toBe("session.required");
    // A key used for a redemption cannot be used for a subscription.
    await t.tickTo(t.at(28 * 60));
    const askKey = newKey();
    const answer = await ask(api.redeem, { product_id: "cross-btc", units: "10" }, { key: askKey });
    expect(
      (await ask(api.redeem, { product_id: "cross-btc", units: "10" }, { key: askKey })).data,
    ).toEqual(answer.data);
    expect((await ask(api.trusteeshipProduct, params, { key: askKey })).error).toBe(
      "idempotency.body_changed",
    );
    await t.tickTo(t.at(30 * 60));
  });

  it("a person sees holdings, earnings, orders and their receipts", async () => {
    const info = (await ask(api.findTrusteeshipInfo)).data as Any;
    expect(info).toMatchObject({ coin: "pUSDT", paid_in: "250", waiting: "0" });
    expect(Number(info.cumulative)).toBeLessThan(0);
    const orders = (await ask(api.getOrderList, { status: "over" })).data as Any;
    expect(orders.items.map(({ action }: Any) => action)).toEqual(["redeem", "subscribe"]);
    expect((await ask(api.getOrderList, { status: "processing" })).data as Any).toMatchObject({
      items: [],
    });
    const earnings = (await ask(api.getDailyEarnings)).data as Any;
    expect(earnings.items).toHaveLength(1);
    // A day's earnings less its fees match the holdings' figure, up to the roundings of two orders.
    const [day] = earnings.items;
    expect(Math.abs(Number(day.earned) - Number(day.fees) - Number(info.cumulative))).toBeLessThan(
      0.00001,
    );
    for (const { order_id } of orders.items) {
      const receipt = (await ask(api.getReceipt, { order_id })).data as Any;
      expect(receipt).toMatchObject({
        format: "drydock.receipt.hosting/1",
        practice: true,
        backing: "none",
      });
      expect(receipt.mark_leaf).toBeGreaterThan(receipt.bound_leaf);
      canonicalText(receipt);
    }
    const explanations = await t.hosting.explain(orders.items.map(({ order_id }: Any) => order_id));
    expect([...explanations.values()].every(({ facts }) => facts.pool === "cross-btc")).toBe(true);
  });

  it("receipts of trades and marks are public", async () => {
    const trades = (await ask(api.getTrades, { product_id: "cross-btc", page_size: 100 }))
      .data as Any;
    const trade = trades.items.find(({ state }: Any) => state !== "waiting");
    const receipt = (
      await ask(api.getTradeReceipt, { trade_id: trade.trade_id }, { signedIn: false })
    ).data as Any;
    expect(receipt).toMatchObject({ format: "drydock.receipt.trade/1", number: trade.number });
    canonicalText(receipt);
    const mark = (
      await ask(api.getMarkReceipt, { product_id: "cross-btc", at_ms: String(t.at(60 * 20)) })
    ).data as Any;
    expect(mark.before_mark_leaf).toBeLessThan(mark.mark_leaf);
    canonicalText(mark);
  });

  it("unknown products, orders and trades are refused with their errors", async () => {
    const cases: [Parameters<typeof ask>[0], Record<string, string>, string][] = [
      [api.getProductList, { product_id: "none" }, "hosting.unknown"],
      [api.getNavHistory, { product_id: "none" }, "hosting.unknown"],
      [api.getTrades, { product_id: "none" }, "hosting.unknown"],
      [api.getRun, { product_id: "none" }, "hosting.unknown"],
      [api.getTrade, { trade_id: randomUUID() }, "hosting.trade_unknown"],
      [api.getTrade, { trade_id: "'" }, "hosting.trade_unknown"],
      [api.findOrder, { order_id: randomUUID() }, "hosting.order_unknown"],
      [api.getReceipt, { order_id: "x" }, "hosting.order_unknown"],
      [api.getMarkReceipt, { product_id: "cross-btc", at_ms: "5" }, "hosting.mark_unknown"],
      [api.getOrderList, { before: "x" }, "request.malformed"],
    ];
    for (const [call, input, error] of cases)
      expect((await ask(call, input)).error, call.path).toBe(error);
  });

  it("units of a closed attempt can be redeemed by their owner only", async () => {
    const { userId, attemptId: oldAttemptId } = person;
    const { pool } = t.ctx.owner;
    await pool.query("insert into user_account (user_id, created_at_ms) values ($1, 0)", [userId]);
    const next = randomUUID();
    await pool.query(
      `insert into user_attempt (attempt_id, user_id, number, opened_at_ms, opened_at_world_ms)
       values ($1, $3, 1, 0, 0), ($2, $3, 2, 0, 0)`,
      [oldAttemptId, next, userId],
    );
    person = { userId, attemptId: next };
    const params = { product_id: "cross-btc", units: "all" };
    expect(((await ask(api.findTrusteeshipInfo)).data as Any).holdings).toEqual([]);
    expect((await ask(api.redeem, params, { key: newKey() })).error).toBe(
      "hosting.units_not_there",
    );
    const readHolding = async () =>
      ((await ask(api.findTrusteeshipInfo, { attempt_id: oldAttemptId })).data as Any).holdings[0];
    expect((await readHolding()).units_blocked).toBe("0");
    const answer = await ask(
      api.redeem,
      { ...params, attempt_id: oldAttemptId },
      { key: newKey() },
    );
    expect(answer.error).toBeUndefined();
    expect((await readHolding()).units_blocked).toBe((await readHolding()).units);
    person = { userId: randomUUID(), attemptId: randomUUID() };
    for (const call of [api.findTrusteeshipInfo, api.redeem]) {
      const input =
        call === api.redeem
          ? { ...params, attempt_id: oldAttemptId }
          : { attempt_id: oldAttemptId };
      expect((await ask(call, input, { key: newKey() })).error).toBe("attempts.unknown");
    }
    person = { userId, attemptId: oldAttemptId };
  });
});
