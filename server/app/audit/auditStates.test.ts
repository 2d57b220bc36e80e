import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import type { IdentitySpecimen } from "#api/identity.ts";
import type { Voucher } from "#api/recharge.ts";
import { encodeAddress } from "#core/addresses/address.ts";
import { correctChoices } from "#core/lesson/scenes.ts";
import { dayMs, minuteMs } from "#core/money/time.ts";
import { voucherKinds } from "#core/recharge/voucher.ts";
import { createApp } from "#server/app/http.ts";
import { createWorld, type World } from "#server/app/modules.ts";
import {
  createPicture,
  type IdentityWorld,
  createForm as identityForm,
  send as sendIdentity,
} from "#server/identity/testing.ts";
import { createAudit } from "#server/ledger/audit/audit.ts";
import type { App } from "#server/platform/http/context.ts";
import { createJobs, type Jobs } from "#server/platform/jobs.ts";
import { createForm, multipart, send as sendForm, specimen } from "#server/recharge/testing.ts";
import { createPeople, type People, type TestPerson } from "#server/testing/signedIn.ts";
import { createTestContext, type TestContext } from "#server/testing/testContext.ts";
import { rotateKeys } from "#server/transparency-log/keys.ts";
import { createAuditChecks } from "./auditChecks.ts";

/**
 * A whole world in which people and operators did everything that leaves rows, through the calls of
 * their browsers: the complete audit must have no findings in any of those states.
 */
let ctx: TestContext;
let jobs: Jobs;
let world: World;
let app: App;
let people: People;
let owner: TestPerson;
let trader: TestPerson;

beforeAll(async () => {
  ctx = await createTestContext();
  await start();
  owner = await people.operator("owner");
  trader = await people.signIn();
  await pass(5);
}, 300_000);
afterAll(async () => {
  await stop();
  await ctx.destroy();
});

async function start(): Promise<void> {
  jobs = createJobs({ database: ctx.database, url: inject("postgres").appUrl, logger: ctx.logger });
  world = await createWorld({ ...ctx, jobs });
  await world.prepare();
  app = await createApp({ ...ctx, jobs }, world, null);
  people = createPeople(app, ctx, () => world.services.operator.firstCode());
}

async function stop(): Promise<void> {
  await app.close();
  await world.stop();
  await jobs.stop();
}

/** Closes every second of a period, then runs the program's own jobs. */
async function pass(seconds: number): Promise<void> {
  for (let remaining = seconds; remaining > 0; remaining -= 5)
    await jump(Math.min(5, remaining) * 1_000);
  await settle();
}

/** Jumps ahead in time; seconds that are then too late become a gap. */
async function jump(ms: number): Promise<void> {
  ctx.realClock.advanceMs(ms);
  ctx.clock.advanceTo(ctx.clock.nowMs() + ms);
  await world.services.market.feed.tick();
}

/** Only the audit is tested; a pool's strategy is not run over its history. */
const skippedJobs = ["ledger.audit", "hosting.history_test"];

async function settle(): Promise<void> {
  const { transparencyLog, contracts, mining } = world.services;
  await transparencyLog.integrate();
  await contracts.settleDue();
  await mining.advance();
  // Work that becomes due in one run is done in the next.
  for (let runs = 0; runs < 2; runs += 1)
    for (const { name, everySeconds } of jobs.list())
      if (everySeconds !== null && !skippedJobs.includes(name)) await jobs.runNow(name);
  await transparencyLog.integrate();
}

async function findings(): Promise<string[]> {
  const contributions = { auditChecks: [createAuditChecks(ctx.world.name)] };
  const { findings } = await createAudit(ctx, { contributions }).run({ complete: true });
  return findings.map(({ check, detail }) => `${check}: ${detail}`);
}

const get = (person: TestPerson, path: string, input: object = {}) =>
  people.data({ method: "GET", path: `/api/${path}` }, input, person.token);
const post = (person: TestPerson, path: string, input: object = {}) =>
  people.data({ method: "POST", path: `/api/${path}` }, input, person.token);
const act = (path: string, input: object = {}) => post(owner, `operator/${path}`, input);

/** The same person, signed in again: sessions end while a test passes days. */
const signInAgain = async (person: TestPerson) =>
  Object.assign(person, await people.signIn(person.key));

const outsideAddress = () => encodeAddress("peth", randomBytes(20));
const withdraw = async (person: TestPerson, amount = "30"): Promise<string> =>
  (await post(person, "user/withdraw", { coin: "pUSDT", amount, address: outsideAddress() }))
    .withdrawal_id;

async function order(person: TestPerson, direction: "up" | "down", tier: number): Promise<string> {
  const { terms } = await get(person, "contract/getContractDetails", { contract_id: "btc-usdt" });
  const input = { contract_id: "btc-usdt", direction, stake: "15", tier };
  const placement = await post(person, "contract/contractPlaceOrder", {
    ...input,
    terms_hash: terms.terms_hash,
  });
  return placement.order_id;
}

const orderState = async (person: TestPerson, orderId: string) => {
  const { status, outcome } = await get(person, "contract/findOrderStatus", { order_id: orderId });
  return { status, outcome };
};

async function lease(person: TestPerson): Promise<string> {
  const { items } = await get(person, "machine/getProductList");
  const machine = items.find((product: { stock_left: number }) => product.stock_left > 0);
  const { product_id, terms_hash } = machine;
  const input = { product_id, quantity: 1, days: 3, terms_hash };
  return (await post(person, "machine/leaseProduct", input)).lease_id;
}

const leaseStatus = async (person: TestPerson, leaseId: string) =>
  (await get(person, "machine/findLease", { lease_id: leaseId })).status;

async function subscribe(person: TestPerson): Promise<string> {
  const { items } = await get(person, "pledge/getProductList");
  const pool = items.find(({ state }: { state: string }) => state === "open");
  const { product_id, terms_hash, minimum } = pool;
  await post(person, "pledge/trusteeshipProduct", { product_id, amount: minimum, terms_hash });
  return product_id;
}

const redeem = (person: TestPerson, product_id: string, units: string) =>
  post(person, "pledge/redeem", { product_id, units });

async function publish(kind: string, body: object, at_ms: number | null = null, id = randomUUID()) {
  const path = `publishing/${kind}`;
  const list = await get(owner, `operator/${path}/list`, { page_size: "50" });
  const isListed = list.items.some((product: { id: string }) => product.id === id);
  const before = isListed ? (await get(owner, `operator/${path}/read`, { id })).revision : 0;
  const { revision } = await act(`${path}/save`, { id, revision: before, body });
  await act(`${path}/publish`, { id, revision, at_ms });
  return {
    id,
    path,
    revision: async () => (await get(owner, `operator/${path}/read`, { id })).revision,
  };
}

/** Submits the person's form and picture for a verification, with the specimen's values. */
async function verifyIdentity(person: TestPerson, kind: string): Promise<string> {
  const params = { document_type: "passport", state: "velmark", country: "GB", kind };
  const specimen: IdentitySpecimen = await post(person, "user/drawIdentity", params);
  const image = await createPicture(specimen.qr_text);
  const upload = await sendIdentity(
    { app } as IdentityWorld,
    person.token,
    identityForm(specimen),
    image,
  );
  expect(upload.error).toBeNull();
  await pass(10);
  return upload.data.verification_id;
}

const news = (title: string) => ({
  languages: { en: { title, summary: "Of the test.", body: "Nothing to see here." } },
});

test("orders that are open, over, void and settled late", async () => {
  await post(trader, "contract/followContract", { contract_id: "btc-usdt", follow: true });
  await post(trader, "contract/setLossLimit", { daily_loss_limit: "900" });
  const placedOrders = [await order(trader, "up", 60), await order(trader, "down", 60)];
  const longer = await order(trader, "up", 300);
  const [first = ""] = placedOrders;
  await post(trader, "belief/stateBelief", { kind: "order", order_id: first, confidence: 70 });
  await pass(2);
  expect(await findings()).toEqual([]);
  await pass(70);
  for (const id of placedOrders) expect((await orderState(trader, id)).status).toBe("over");
  await post(trader, "belief/removeBelief", { order_id: first });
  const secret = randomBytes(16).toString("base64url");
  const linked = { secret, kind: "contract", order_id: first };
  const { link_id } = await post(trader, "record/createReceiptLink", linked);
  const anotherLink = { ...linked, secret: randomBytes(16).toString("base64url") };
  await post(trader, "record/createReceiptLink", anotherLink);
  await post(trader, "record/revokeReceiptLink", { link_id });
  expect(await findings()).toEqual([]);
  // One order has no entry price before the gap; the window of the other lies in the gap.
  const earlyOrder = await order(trader, "up", 60);
  await pass(5);
  const unbound = await order(trader, "down", 60);
  await jump(10 * minuteMs);
  await pass(5);
  for (const id of [earlyOrder, unbound])
    expect(await orderState(trader, id)).toEqual({ status: "over", outcome: "void" });
  expect((await orderState(trader, longer)).status).toBe("over");
  expect(await findings()).toEqual([]);
}, 120_000);

test("withdrawals that wait, left, were cancelled and were paid immediately", async () => {
  const [leftWithdrawal, cancelledWithdrawal] = [await withdraw(trader), await withdraw(trader)];
  await post(trader, "user/cancelWithdraw", { withdrawal_id: cancelledWithdrawal });
  await pass(125);
  const paidWithdrawal = await withdraw(trader);
  await people.raise(owner);
  await act("people/payNow", { withdrawal_id: paidWithdrawal, why: "Asked for it" });
  const waits = await withdraw(trader);
  await settle();
  const states = [leftWithdrawal, cancelledWithdrawal, paidWithdrawal, waits].map(
    async (withdrawal_id) => {
      const { outcome } = await get(trader, "user/findWithdraw", { withdrawal_id });
      return outcome;
    },
  );
  expect(await Promise.all(states)).toEqual(["left", "cancelled", "left", null]);
  expect(await findings()).toEqual([]);
}, 60_000);

test("vouchers of every kind, drawn, recharged and rejected", async () => {
  const params = { coin: "pUSDT", network: "peth", amount: "100" };
  const outcomes: string[] = [];
  for (const kind of voucherKinds) {
    const voucher: Voucher = await post(trader, "user/drawVoucher", { ...params, kind });
    const form = multipart(createForm(await specimen(voucher.qr_text)));
    const upload = await sendForm(app, { ...trader, attemptId: "" }, form);
    expect(upload.error, kind).toBeNull();
    await pass(10);
    const { recharge_id } = upload.data;
    outcomes.push((await get(trader, "user/findRecharge", { recharge_id })).outcome);
  }
  await post(trader, "user/drawVoucher", { ...params, kind: "good" });
  expect(new Set(outcomes).size).toBe(2);
  const voucher: Voucher = await post(trader, "user/drawVoucher", { ...params, kind: "good" });
  await sendForm(
    app,
    { ...trader, attemptId: "" },
    multipart(createForm(await specimen(voucher.qr_text))),
  );
  expect(await findings()).toEqual([]);
}, 60_000);

test("people's exchanges, sends, subscriptions and leases, running and ended", async () => {
  const quote = { from: "pUSDT", to: "pETH", amount: "40" };
  const { quote_id } = await post(trader, "user/quoteExchange", quote);
  await post(trader, "user/exchangeCoin", { quote_id });
  await post(trader, "user/quoteExchange", quote);
  const recipient = await people.signIn();
  const { address } = await get(recipient, "user/getReceiveAddress", { coin: "pUSDT" });
  const entry = await post(trader, "user/addAddress", { name: "A friend", address });
  const { entry_id } = await post(trader, "user/addAddress", {
    name: "Away",
    address: outsideAddress(),
  });
  await post(trader, "user/renameAddress", { entry_id: entry.entry_id, name: "A good friend" });
  await post(trader, "user/removeAddress", { entry_id });
  await post(trader, "user/send", { coin: "pUSDT", address, amount: "20" });
  await post(recipient, "user/setPin", { pin: "472913" });
  const pool = await subscribe(trader);
  expect(await findings()).toEqual([]);
  await pass(130);
  await redeem(trader, pool, "1");
  await pass(130);
  await redeem(trader, pool, "all");
  await subscribe(recipient);
  expect(await findings()).toEqual([]);
  const [fullLease, shortLease] = [await lease(trader), await lease(trader)];
  expect(await findings()).toEqual([]);
  await pass(65);
  await jump(26 * 60 * minuteMs);
  await signInAgain(trader);
  await pass(5);
  const { end_now } = await get(trader, "machine/findLease", { lease_id: shortLease });
  await post(trader, "machine/endLease", {
    lease_id: shortLease,
    unused_days: end_now.unused_days,
  });
  await pass(5);
  expect(await findings()).toEqual([]);
  for (let day = 0; day < 3; day += 1) {
    await jump(dayMs);
    await pass(5);
  }
  await signInAgain(trader);
  expect(await Promise.all([fullLease, shortLease].map((id) => leaseStatus(trader, id)))).toEqual([
    "maturity",
    "maturity",
  ]);
  await lease(trader);
  await pass(5);
  await lease(trader);
  expect(await findings()).toEqual([]);
}, 180_000);

test("people who join, start over, exclude themselves and leave", async () => {
  const { code } = await get(trader, "user/getInviteInfo");
  const joinedPerson = await people.signIn(undefined, code);
  await post(joinedPerson, "user/answerInvite", { answer: "yes" }).catch(() => {});
  await post(joinedPerson, "lesson/finishLesson", {
    run_id: randomUUID(),
    answers: correctChoices,
  });
  await post(joinedPerson, "contract/excludeMyself", { period: "month" });
  const starter = await people.signIn();
  for (const direction of ["up", "down"] as const) await order(starter, direction, 300);
  await withdraw(starter);
  await subscribe(starter);
  await lease(starter);
  const { items } = await get(starter, "user/getAttempts");
  const verified = await verifyIdentity(starter, "verified");
  await verifyIdentity(starter, "expired");
  await post(starter, "user/purgeRealName", { verification_id: verified });
  await post(starter, "user/startOver", { attempt_id: items[0].attempt_id });
  const leaver = await people.signIn();
  await order(leaver, "up", 60);
  await withdraw(leaver);
  await subscribe(leaver);
  await lease(leaver);
  await post(leaver, "user/setPin", { pin: "472913" });
  const deletionInput = { word: "delete", receipt_id: randomUUID(), pin: "472913" };
  await post(leaver, "user/deleteAccount", deletionInput);
  await settle();
  expect(await findings()).toEqual([]);
  await pass(130);
  expect(await findings()).toEqual([]);
}, 120_000);

/** A code that no audit event created, and one with another number, are findings. */
async function expectCodesCompared(): Promise<void> {
  const { pool } = ctx.owner;
  const changes = [
    [
      `insert into class_code (class_id, number, code_index, created_at_ms)
       select class_id, 5, sha256(code_index), created_at_ms from class_code where number = 4`,
      "delete from class_code where number = 5",
    ],
    [
      "update class_code set number = 5 where number = 4",
      "update class_code set number = 4 where number = 5",
    ],
  ] as const;
  for (const [change, undo] of changes) {
    await pool.query(change);
    expect(await findings()).toEqual([expect.stringMatching(/^operator\.class_codes/)]);
    await pool.query(undo);
    expect(await findings()).toEqual([]);
  }
}

test("operators' actions on people, texts, offers, switches and each other", async () => {
  await people.raise(await signInAgain(owner));
  const { userId } = await people.signIn();
  const reason = "It is part of the test";
  for (const suspended of [true, false, true])
    await act("people/setSuspended", { user_id: userId, suspended, why: reason });
  await act("people/endSessions", { user_id: userId, why: reason });
  await get(owner, "operator/people/find", { user_id: userId });
  await signInAgain(trader);
  const { code } = await post(trader, "user/makeViewCode");
  ctx.realClock.advanceMs(60_000);
  const { viewing_id } = await act("people/openViewing", { code });
  await get(owner, "operator/people/getWallet", { viewing_id });
  await act("people/closeViewing", { viewing_id });
  await post(trader, "user/makeViewCode");
  const helper = await people.operator("support", owner);
  await people.operator("auditor", owner);
  const { items } = await get(owner, "operator/getOperators");
  const helperId = items.find(({ role }: { role: string }) => role === "support").operator_id;
  await act("setRole", { operator_id: helperId, role: "publisher", why: reason });
  await act("removeOperator", { operator_id: helperId, why: reason });
  const withdrawn = randomBytes(32).toString("hex");
  for (const code_hash of [withdrawn, randomBytes(32).toString("hex")])
    await act("inviteOperator", { role: "auditor", code_hash });
  await act("withdrawInvitation", { code_hash: withdrawn });
  expect(await findings()).toEqual([]);
  const link = { label: "A class", limit: 30, expires_at_ms: ctx.realClock.nowMs() + dayMs };
  const { link: closedLink } = await act("class/makeLink", link);
  const { link: openLink } = await act("class/makeLink", link);
  await act("class/makeCodes", { class_id: closedLink.class_id, count: 2 });
  for (const count of [3, 1]) await act("class/makeCodes", { class_id: openLink.class_id, count });
  await act("class/closeLink", { class_id: closedLink.class_id });
  expect(await findings()).toEqual([]);
  await expectCodesCompared();
  for (const on of [false, true, false]) await act("class/setContracts", { on });
  await act("class/setSignUp", { sign_up: "class_links", was: "open" });
  await act("class/setSignUp", { sign_up: "open", was: "class_links" });
  await expect(order(trader, "up", 300)).rejects.toThrow("contracts.");
  expect(await findings()).toEqual([]);
  await act("class/setContracts", { on: true });
  const notice = { type: "dialog", language: "en", title: "A word", text: "To all." };
  await act("class/announce", { id: randomUUID(), ...notice, until_ms: null });
  await act("people/setSupportLink", { user_id: trader.userId, link_id: null, why: reason });
  const { chat_link } = await get(owner, "operator/getSettings");
  const chatLink = { use: "link", link: "https://chat.example.org/room" };
  await act("setChatLink", { ...chatLink, revision: chat_link.revision });
  const laterMs = ctx.realClock.nowMs() + 30_000;
  const post1 = await publish("news", news("A note"));
  const post2 = await publish("news", news("Another note"));
  await publish("news", news("A later note"), laterMs);
  const unscheduled = await publish("news", news("Never"), laterMs);
  await pass(5);
  await act(`${unscheduled.path}/unschedule`, {
    id: unscheduled.id,
    revision: await unscheduled.revision(),
  });
  await publish("news", news("A note, changed"), null, post1.id);
  await act(`${post2.path}/withdraw`, { id: post2.id, revision: await post2.revision() });
  const machines = await get(owner, "operator/publishing/machine/list", {
    state: "published",
    page_size: "1",
  });
  const { published } = await get(owner, "operator/publishing/machine/read", {
    id: machines.items[0].id,
  });
  await publish("machine", { ...published, product_id: "another", model: "Another" });
  await pass(40);
  expect(await findings()).toEqual([]);
  expect(helper.userId).not.toBe(owner.userId);
}, 120_000);

test("people who leave after operators acted on them, and operators who acted", async () => {
  await people.raise(await signInAgain(owner));
  const reason = "It is part of the test";
  const helpedPerson = await people.signIn();
  await pass(5);
  await order(helpedPerson, "up", 300);
  const paidWithdrawal = await withdraw(helpedPerson);
  await act("people/payNow", { withdrawal_id: paidWithdrawal, why: reason });
  await act("people/setSuspended", { user_id: helpedPerson.userId, suspended: true, why: reason });
  const support = await people.operator("support", owner);
  const publisher = await people.operator("publisher", owner);
  await people.raise(support);
  await post(support, "operator/people/endSessions", { user_id: helpedPerson.userId, why: reason });
  await people.raise(await signInAgain(owner));
  const second = await people.operator("owner", owner);
  await people.raise(second);
  const link = { label: "Another class", limit: 5, expires_at_ms: ctx.realClock.nowMs() + dayMs };
  const { link: classLink } = await post(second, "operator/class/makeLink", link);
  const pupil = await people.signIn(undefined, classLink.code);
  await pass(5);
  await order(pupil, "down", 60);
  expect(await findings()).toEqual([]);
  await post(publisher, "operator/leave");
  const word = { word: "delete" };
  for (const person of [second, support, await signInAgain(helpedPerson), pupil])
    await post(person, "user/deleteAccount", { ...word, receipt_id: randomUUID() });
  await settle();
  expect(await findings()).toEqual([]);
  await pass(130);
  expect(await findings()).toEqual([]);
}, 120_000);

test("a restart with another key of the log", async () => {
  await signInAgain(trader);
  await pass(5);
  await order(trader, "up", 300);
  await pass(2);
  await stop();
  await rotateKeys(ctx.config.dataDirectory, ctx.world.name);
  ctx.realClock.advanceMs(3 * minuteMs);
  ctx.clock.advanceTo(ctx.clock.nowMs() + 3 * minuteMs);
  await start();
  await pass(5);
  expect(await findings()).toEqual([]);
  await pass(200);
  expect(await findings()).toEqual([]);
}, 120_000);
