import { afterAll, beforeAll, expect, test } from "vitest";
import { miningRoutes } from "#server/mining/routes.ts";
import type { App } from "#server/platform/http/context.ts";
import { newKey } from "#server/testing/client.ts";
import { createTestApp } from "#server/testing/http.ts";
import { createTestMining, type TestMining, testDay, testHour } from "#server/testing/mining.ts";
import type { Person } from "#server/testing/people.ts";

let t: TestMining;
let app: App;
let person: Person;

beforeAll(async () => {
  t = await createTestMining();
  person = await t.openPerson(1_000);
  app = await createTestApp(
    t.ctx,
    (app) => miningRoutes(app, t.mining),
    async (token) => (token === "mine" ? { ...person, sessionId: "s1" } : null) as never,
  );
});
afterAll(async () => {
  await app.close();
  await t.destroy();
});

const get = async (path: string, query: Record<string, string> = {}, token = "mine") => {
  const url = `/api/machine/${path}?${new URLSearchParams(query)}`;
  return (await app.inject({ method: "GET", url, headers: { host: "localhost", token } })).json();
};
const post = async (path: string, body: object, key = newKey()) => {
  const headers = { host: "localhost", token: "mine", "idempotency-key": key };
  const url = `/api/machine/${path}`;
  return (await app.inject({ method: "POST", url, headers, payload: body })).json();
};

test("network and machines are public, with projected earnings and costs", async () => {
  const network = (await get("getNetwork", {}, "")).data;
  expect(network).toMatchObject({
    source: "simulated",
    subsidy: "3.125",
    epoch: { blocks: 2_016 },
    halving: { height: 1_050_000, subsidy_after: "1.5625" },
    btc_price: "64000",
  });
  const { items, instance } = (await get("getProductList", {}, "")).data;
  expect(items).toHaveLength(1);
  expect(items[0]).toMatchObject({
    hashrate_ths: "100",
    joules_per_th: "32.5",
    price_per_day: "0.4",
    power_per_day: "4.68",
    stock_left: 2_000_000,
  });
  expect(Number(items[0].expected.net)).toBeLessThan(0);
  expect(instance).toEqual({ ended: 0, lost: 0 });
  expect(await get("getProductList", { product_id: "none" })).toMatchObject({
    error: "mining.unknown",
  });
});

test.each([
  "myMachine",
  "getOrderList",
  "getPayoutList",
  "findLease",
])("%s requires a session", async (path) => {
  expect(await get(path, { lease_id: "x" }, "")).toMatchObject({ error: "session.required" });
});

test("a lease is visible at each step up to its last payout", async () => {
  const [machine] = (await get("getProductList")).data.items;
  const params = {
    product_id: machine.product_id,
    quantity: 2,
    days: 3,
    terms_hash: machine.terms_hash,
  };
  const key = newKey();
  const started = (await post("leaseProduct", params, key)).data;
  expect(started).toMatchObject({ price: "2.4", power: "28.08" });
  expect((await post("leaseProduct", params, key)).data).toEqual(started);
  expect(await post("leaseProduct", { ...params, days: 2 }, key)).toMatchObject({
    error: "idempotency.body_changed",
  });
  const id = started.lease_id;
  expect((await get("getOrderList", { status: "running" })).data.items).toHaveLength(1);
  await t.goTo(started.starts_at_ms + testDay + 6 * testHour);
  const working = (await get("myMachine")).data;
  expect(working).toMatchObject({ open: 1, hashrate_ths: "200", spent: "30.48" });
  expect(working.items[0]).toMatchObject({ status: "at_work", days_paid: 1 });
  expect(Number(working.items[0].at_work)).toBeCloseTo((30.48 * 2) / 3, 6);
  expect(Number(working.today_so_far)).toBeGreaterThan(0);
  const ending = await post("endLease", { lease_id: id, unused_days: 1 });
  expect(ending.data).toMatchObject({ unused_days: 1, price: "0.64", power: "9.36" });
  await t.goTo(started.ends_at_ms);
  const lease = (await get("findLease", { lease_id: id })).data;
  expect(lease).toMatchObject({ status: "maturity", days_to_work: 2, days_paid: 2 });
  expect(Number(lease.result)).toBeLessThan(0);
  const { items, has_more } = (await get("getPayoutList", { page_size: "1" })).data;
  expect([items.length, has_more]).toEqual([1, true]);
  expect(items[0]).toMatchObject({ lease_id: id, day: 2, power: "9.36", price: "0.8" });
  expect((await get("getProductList")).data.instance).toEqual({ ended: 1, lost: 1 });
  await t.closeSecond();
  const receipt = (await get("getReceipt", { lease_id: id })).data;
  expect(receipt).toMatchObject({ from_day: 1, to_day: 2, mined_before: "0" });
  expect(receipt.readings).toHaveLength(49);
  // No second closes in between, so one second binds both the lease and its early end.
  expect(receipt.ended).toMatchObject({ bound_leaf: receipt.bound_leaf, orders_index: 1 });
});

test("unknown cursors, leases and days are refused with their errors", async () => {
  expect(await get("getOrderList", { before: "x" })).toMatchObject({ error: "request.malformed" });
  expect(await get("findLease", { lease_id: "x" })).toMatchObject({
    error: "mining.lease_unknown",
  });
  expect(await get("getPayoutList", { lease_id: "x" })).toMatchObject({
    error: "mining.lease_unknown",
  });
  const [lease] = (await get("getOrderList")).data.items;
  expect(await get("getReceipt", { lease_id: lease.lease_id, day: "9" })).toMatchObject({
    error: "mining.receipt_not_ready",
  });
});
