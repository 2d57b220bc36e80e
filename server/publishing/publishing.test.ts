import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  findOrderStatus,
  getContractDetails,
  getContractList,
  placeOrder,
} from "#api/contracts.ts";
import { getProductList as getPools } from "#api/hosting.ts";
import { getProductList, leaseProduct, myMachine } from "#api/mining.ts";
import { publishing } from "#api/operator/publishing.ts";
import { claim } from "#api/operator/session.ts";
import { getNewsList } from "#api/publishing.ts";
import type { World } from "#server/app/modules.ts";
import type { App } from "#server/platform/http/context.ts";
import { seedPublications } from "#server/publishing/seed.ts";
import { type createClient, newKey, signIn, type TestSession } from "#server/testing/client.ts";
import { giveTestPassphrase } from "#server/testing/passphrase.ts";
import { createTestApp, listenForClient, type TestApp } from "#server/testing/testApp.ts";
import type { TestContext } from "#server/testing/testContext.ts";

/** Publishing products in a whole world: by operator calls, through the services that sell them. */
let ctx: TestContext;
let world: World;
let app: App;
let close: TestApp["close"];
let client: ReturnType<typeof createClient>;
let operator: TestSession;
let person: TestSession;

beforeAll(async () => {
  ({ ctx, world, app, close } = await createTestApp());
  client = await listenForClient(app);
  operator = await signIn(client);
  const code = (await world.services.operator.firstCode())!;
  await call(claim, { code, name: "Anna" }, operator);
  await giveTestPassphrase(ctx, operator.userId);
});
afterAll(async () => {
  client.close();
  await close();
});
beforeEach(async () => {
  await seconds(3);
  person = await signIn(client);
  // Elevated for the duration of the tests; elevation itself is tested in the operator domain.
  await sql`insert into operator_elevation (session_id, operator_id, until_ms)
    select s.session_id, o.operator_id, 9000000000000 from user_session s join operator o using (user_id)
    on conflict do nothing`.execute(ctx.owner.db);
});

async function seconds(count: number) {
  for (let n = 0; n < count; n += 1) {
    ctx.realClock.advanceMs(1_000);
    ctx.clock.advanceTo(ctx.clock.nowMs() + 1_000);
    await world.services.market.feed.tick();
  }
  await world.services.transparencyLog.integrate();
  await world.services.contracts.settleDue();
}

interface Answer {
  code: number;
  error?: string;
  msg: string;
  // biome-ignore lint/suspicious/noExplicitAny: the call's raw answer
  data: any;
}
async function call(
  { method, path }: { method: "GET" | "POST"; path: string },
  input: Record<string, unknown> = {},
  who: TestSession = person,
  key = newKey(),
): Promise<Answer> {
  const query = method === "GET" ? `?${new URLSearchParams(input as Record<string, string>)}` : "";
  const answer = await app.inject({
    method,
    url: path + query,
    headers: { token: who.token, "idempotency-key": key },
    ...(method === "POST" ? { payload: input } : {}),
  });
  return answer.json();
}
const request = (wire: { method: "GET" | "POST"; path: string }, input: Record<string, unknown>) =>
  call(wire, input, operator);

/** The publication of a product that the world was seeded with. */
async function findSeeded(kind: "contract_tiers" | "pool" | "machine", subject: string) {
  const { data } = await request(publishing[kind].list, { page_size: "50" });
  const { id } = data.items.find((item: { subject: string }) => item.subject === subject);
  return (await request(publishing[kind].read, { id })).data;
}
/** Saves a body and publishes it; returns the error, if any. */
async function publish(kind: "contract_tiers" | "pool" | "machine", subject: string, body: object) {
  const { id, revision } = await findSeeded(kind, subject);
  const savedDraft = await request(publishing[kind].save, { id, revision, body });
  const answer = await request(publishing[kind].publish, {
    id,
    revision: savedDraft.data.revision,
    at_ms: null,
  });
  await world.services.publishing.publications.runDue();
  ctx.realClock.advanceMs(3_000);
  return { ...answer, problems: savedDraft.data.problems };
}
async function withdraw(kind: "contract_tiers" | "pool" | "machine", subject: string) {
  const { id, revision } = await findSeeded(kind, subject);
  const answer = await request(publishing[kind].withdraw, { id, revision });
  ctx.realClock.advanceMs(3_000);
  return answer;
}
async function order(symbol: string, tier: number) {
  const { data } = await call(getContractDetails, { contract_id: symbol });
  const terms = data.terms.terms_hash as string;
  return call(placeOrder, {
    contract_id: symbol,
    direction: "up",
    stake: "100",
    tier,
    terms_hash: terms,
  });
}
const tier = {
  seconds: 60,
  range_bp: 0,
  rate_bp: 9_000,
  fee_bp: 100,
  stake_min: "10",
  stake_max: "1000",
  orders_per_day: null,
};

test("a world that already offers everything is seeded without the log's lock", async () => {
  await ctx.owner.db.transaction().execute(async (tx) => {
    await sql`select next from log_head for update`.execute(tx);
    await seedPublications(ctx, world.services);
  });
});

test("the software's first post appears in the reader's language with its author", async () => {
  const { data } = await call(getNewsList, {});
  expect(data.items).toMatchObject([
    { author: "software", language: "en", version: 1, read: false },
  ]);
});

test("terms too good or too bad for people are refused with the return of a coin flip", async () => {
  const body = {
    symbol: "BTC/USDT",
    tiers: [
      { ...tier, rate_bp: 9_900 },
      { ...tier, seconds: 300, rate_bp: 7_000 },
    ],
  };
  const refusal = await publish("contract_tiers", "BTC/USDT", body);
  expect(refusal).toMatchObject({ code: 0, error: "publishing.coin_flip_flatters" });
  expect(refusal.problems.map((problem: { message: string }) => problem.message)).toEqual([
    expect.stringContaining("would return 98.5 of 100"),
    expect.stringContaining("would return 84 of 100"),
  ]);
  const { data } = await call(getContractDetails, { contract_id: "btc-usdt" });
  expect(data.terms.version).toBe(1);
});

test("new terms apply to new orders immediately, and an open order keeps its own", async () => {
  const placement = await order("eth-usdt", 60);
  const before = (await call(findOrderStatus, { order_id: placement.data.order_id })).data;
  const answer = await publish("contract_tiers", "ETH/USDT", {
    symbol: "ETH/USDT",
    tiers: [{ ...tier, rate_bp: 8_500 }],
  });
  expect(answer.code).toBe(1);
  const { data } = await call(getContractDetails, { contract_id: "eth-usdt" });
  expect(data.terms).toMatchObject({ version: 2, tiers: [{ seconds: 60, rate_bp: 8_500 }] });
  expect((await order("eth-usdt", 300)).error).toBe("contracts.tier_unknown");
  await seconds(75);
  const settledOrder = (await call(findOrderStatus, { order_id: placement.data.order_id })).data;
  expect(settledOrder).toMatchObject({
    rate_bp: 9_000,
    terms_hash: before.terms_hash,
    status: "over",
  });
});

test("a restart does not revert a product that an operator published", async () => {
  await world.prepare();
  const { data } = await call(getContractDetails, { contract_id: "eth-usdt" });
  expect(data.terms).toMatchObject({ version: 2 });
  expect((await findSeeded("contract_tiers", "ETH/USDT")).published_by).not.toBe("software");
});

test("a delisted contract refuses orders and settles open ones until listed again", async () => {
  const placement = await order("sol-usdt", 60);
  expect((await withdraw("contract_tiers", "SOL/USDT")).code).toBe(1);
  expect((await order("sol-usdt", 60)).error).toBe("contracts.withdrawn");
  const { items: listedContracts, withdrawn } = (await call(getContractList, { type: "all" })).data;
  expect(listedContracts.map((item: { symbol: string }) => item.symbol)).not.toContain("SOL/USDT");
  expect(withdrawn).toEqual(["sol-usdt"]);
  expect((await call(getContractList, { type: "major" })).data.withdrawn).toEqual([]);
  await world.prepare();
  expect((await order("sol-usdt", 60)).error).toBe("contracts.withdrawn");
  await seconds(75);
  const settledOrder = (await call(findOrderStatus, { order_id: placement.data.order_id })).data;
  expect(settledOrder.status).toBe("over");
  // The home page's claims about this instance can still be added up from public calls (promise 7).
  const { data: delistedDetails } = await call(getContractDetails, { contract_id: "sol-usdt" });
  expect(delistedDetails.instance.settled).toBe(1);
  const { id, revision } = await findSeeded("contract_tiers", "SOL/USDT");
  await request(publishing.contract_tiers.publish, { id, revision, at_ms: null });
  await world.services.publishing.publications.runDue();
  await seconds(3);
  expect((await order("sol-usdt", 60)).code).toBe(1);
});

test("a machine that earns more than it costs is refused", async () => {
  const product = "antminer-s21-200";
  const { published } = await findSeeded("machine", product);
  // Electricity costs next to nothing as well: in some worlds it alone consumes what the machine
  // earns.
  const cheapOffer = { ...published, price_per_day: "0.01", electricity_per_kwh: "0.0001" };
  const refusal = await publish("machine", product, cheapOffer);
  expect(refusal.error).toBe("publishing.machine_flatters");
  expect(refusal.msg).toMatch(/would earn [\d.]+ pUSDT a day and cost [\d.]+ pUSDT/);

  const { data } = await call(getProductList, { product_id: product });
  const params = {
    product_id: product,
    quantity: 1,
    days: 2,
    terms_hash: data.items[0].terms_hash,
  };
  const leaseAnswer = await call(leaseProduct, params);
  expect(leaseAnswer.code).toBe(1);
  const answer = await publish("machine", product, { ...published, price_per_day: "25" });
  expect(answer.code).toBe(1);
  // The software offers machines each minute, and leaves this one alone.
  await ctx.jobs.runNow("publishing.machines");
  const now = (await call(getProductList, { product_id: product })).data.items[0];
  expect(now).toMatchObject({ price_per_day: "25", version: 2 });
  expect((await call(leaseProduct, params)).error).toBe("mining.terms_changed");

  await withdraw("machine", product);
  const repeated = await call(leaseProduct, { ...params, terms_hash: now.terms_hash });
  expect(repeated.error).toBe("mining.withdrawn");
  expect((await call(myMachine)).code).toBe(1);
  const lease = await sql<{ price_per_day: bigint }>`
    select price_per_day from mining_lease where id = ${leaseAnswer.data.lease_id}`.execute(
    ctx.owner.db,
  );
  expect(lease.rows[0]?.price_per_day).not.toBe(25_000_000n);
});

test("a pool keeps its composition, and takes no new money once unpublished", async () => {
  const { published } = await findSeeded("pool", "hold-btc");
  const otherStrategy = await publish("pool", "hold-btc", { ...published, strategy: "cross" });
  expect(otherStrategy.error).toBe("publishing.pool_cannot_run");
  const changedMinimum = await publish("pool", "hold-btc", { ...published, minimum: "25" });
  expect(changedMinimum.code).toBe(1);
  const find = async () =>
    (await call(getPools, {})).data.items.find(
      (item: { product_id: string }) => item.product_id === "hold-btc",
    );
  expect(await find()).toMatchObject({ minimum: "25", state: "open" });
  await withdraw("pool", "hold-btc");
  expect(await find()).toMatchObject({ state: "suspended" });
});

test("a new pool gets the standard house capital and no other posting", async () => {
  const { published } = await findSeeded("pool", "hold-btc");
  const id = randomUUID();
  const before = await journals();
  const body = { ...published, pool_id: "hold-eth", symbols: ["ETH/USDT"] };
  const savedDraft = await request(publishing.pool.save, { id, revision: 0, body });
  await request(publishing.pool.publish, { id, revision: savedDraft.data.revision, at_ms: null });
  // The operator's call only scheduled it: the posting is the job's.
  expect(await journals()).toEqual(before);
  await world.services.publishing.publications.runDue();
  await world.services.publishing.publications.runDue();
  expect(await journals()).toEqual([...before, "hosting.seed hold-eth"].toSorted());
});

async function journals(): Promise<string[]> {
  const { rows } = await sql<{ kind: string; about: string | null }>`
    select kind, about from journal where kind not like 'contract%'`.execute(ctx.owner.db);
  return rows.map(({ kind, about }) => `${kind} ${about}`).toSorted();
}

test("of two concurrent edits one is refused, and a repeated call acts once", async () => {
  const otherSession = await signIn(client);
  await sql`insert into operator (operator_id, user_id, role, since_ms)
    values ('another-operator-id', ${otherSession.userId}, 'publisher', 0)`.execute(ctx.owner.db);
  await giveTestPassphrase(ctx, otherSession.userId);
  const id = randomUUID();
  const post = (title: string) => ({
    languages: { en: { title, summary: "Short", body: "Long" } },
  });
  const first = await request(publishing.news.save, { id, revision: 0, body: post("Draft") });
  const { revision } = first.data;
  const keys = [newKey(), newKey()];
  const requests = [
    () => call(publishing.news.save, { id, revision, body: post("Anna's") }, operator, keys[0]),
    () => call(publishing.news.save, { id, revision, body: post("Bo's") }, otherSession, keys[1]),
  ];
  const answers = await Promise.all(requests.map((send) => send()));
  const answer = answers.find(({ code }) => code === 1)!;
  const refusal = answers.find(({ code }) => code === 0)!;
  expect(refusal.error).toBe("publishing.changed_meanwhile");
  expect(JSON.parse(refusal.data.current)).toEqual(answer.data.draft);
  expect(refusal.data.revision).toBe(answer.data.revision);
  const repeated = await Promise.all(requests.map((send) => send()));
  expect(repeated[answers.indexOf(answer)]).toEqual(answer);
  expect((await request(publishing.news.read, { id })).data.revision).toBe(revision + 1);
});

test("a preview shows a reader's view and changes nothing", async () => {
  const body = { languages: { de: { title: "Nur Deutsch", summary: "Kurz", body: "risikofrei" } } };
  const answer = await request(publishing.news.preview, { body, language: "fr" });
  expect(answer.data.news).toMatchObject({ title: "Nur Deutsch", language: "de" });
  expect(answer.data.problems).toMatchObject([
    { error: "publishing.promises_return", at: "languages.de.body" },
  ]);
  const tiers = await request(publishing.contract_tiers.preview, {
    body: { symbol: "BTC/USDT", tiers: [tier] },
    language: "en",
  });
  expect(tiers.data.figures).toEqual([
    { name: "break_even", at: "tiers.0", value: "53.16" },
    { name: "coin_flip_return", at: "tiers.0", value: "94" },
    { name: "average_cost", at: "tiers.0", value: "6" },
  ]);
});

test("publishing requires an operator with the permission", async () => {
  for (const { save } of Object.values(publishing)) {
    expect((await call(save, {})).error).toBe("operator.required");
  }
});

test("every change is in the audit log", async () => {
  const { rows } = await sql<{
    what: string;
  }>`select distinct what from operator_audit_event`.execute(ctx.owner.db);
  expect(rows.map(({ what }) => what)).toEqual(
    expect.arrayContaining(["publishing.saved", "publishing.scheduled", "publishing.withdrawn"]),
  );
});
