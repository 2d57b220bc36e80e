import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { exportTables, getInstance, getInstanceHistory } from "#api/operator/instance.ts";
import { withdraw } from "#api/withdraw.ts";
import { encodeAddress } from "#core/addresses/address.ts";
import { encodeVkey, keyTypes, noteKey } from "#core/transparency-log/checkpoint.ts";
import type { World } from "#server/app/modules.ts";
import type { People, TestPerson } from "#server/testing/signedIn.ts";
import { createTestApp, getCall, type TestApp } from "#server/testing/testApp.ts";
import { type TestContext, testStartMs } from "#server/testing/testContext.ts";

/** The console's instance pages on a real world: they show its real figures. */
let ctx: TestContext;
let world: World;
let close: TestApp["close"];
let people: People;
let owner: TestPerson;
let person: TestPerson;
let elapsedSeconds = 0;
const folder = mkdtempSync(join(tmpdir(), "drydock-instance-"));
const witnessKey = (name: string) =>
  encodeVkey(noteKey(name, randomBytes(32), keyTypes.witness), keyTypes.witness);
const [east, west] = [witnessKey("east.example/w1"), witnessKey("west.example/w1")];

beforeAll(async () => {
  const policy = join(folder, "witness-policy");
  writeFileSync(policy, `witness east ${east}\nwitness west ${west}\nquorum none\n`);
  ({ ctx, world, people, close } = await createTestApp({
    context: { config: { witnessPolicy: policy } },
  }));
  owner = await people.operator("owner");
  person = await people.signIn();
  await seconds(12);
  const { terms } = (await world.services.contracts.catalogue.find("btc-usdt"))!;
  const order = { direction: "up", stake: "10", tier: 60, terms_hash: terms.termsHash };
  await request("/api/contract/contractPlaceOrder", { contract_id: "btc-usdt", ...order }, person);
  await seconds(3);
});
afterAll(async () => {
  await close();
  rmSync(folder, { recursive: true });
});
// Expires every answer cached for ten seconds.
beforeEach(() => ctx.realClock.advanceMs(11_000));

const request = (path: string, input: object = {}, who = owner) =>
  people.data(getCall(path), input, who.token);
const findError = async (path: string, input: object) =>
  (await people.ask(getCall(path), input as never, owner.token)).json().error;

async function seconds(count: number): Promise<void> {
  for (let second = 0; second < count; second += 1) {
    elapsedSeconds += 1;
    ctx.clock.advanceTo(testStartMs + elapsedSeconds * 1_000);
    ctx.realClock.advanceMs(1_000);
    await world.services.market.feed.tick();
  }
  await world.services.transparencyLog.integrate();
}

const view = async () => getInstance.answer.parse(await request("/api/operator/getInstance"));

describe("the market and the log", () => {
  test("venues, index and gaps match the last seconds of the log", async () => {
    const { market, world, log } = await view();
    expect(world).toMatchObject({ name: "test-world", kind: "simulated", clock: "driven" });
    expect(market.latest_second_ms).toBe(testStartMs + elapsedSeconds * 1_000);
    expect(market.venues.length).toBeGreaterThan(2);
    for (const venue of market.venues) {
      expect(venue).toMatchObject({ fresh: venue.listed, last_quote_ms: market.latest_second_ms });
    }
    const bitcoin = market.index.find(({ symbol }) => symbol === "BTC/USDT")!;
    expect(bitcoin).toMatchObject({ gaps_hour: 0 });
    expect(Number(bitcoin.price)).toBeGreaterThan(0);
    expect(log).toMatchObject({ size: log.leaves, witnesses: 0, lag_ms: 0 });
  });

  test("witnesses are those in the policy with a cosignature in the last ten minutes", async () => {
    const cosignedBy = async (vkey: string, agoMs: number) => {
      const atMs = ctx.realClock.nowMs() - agoMs;
      await sql`insert into log_witness (vkey, name, size, since_ms, at_ms)
        values (${vkey}, 'w', 1, ${atMs}, ${atMs}) on conflict (vkey) do update
        set at_ms = excluded.at_ms`.execute(ctx.owner.db);
      return (await view()).log.witnesses;
    };
    expect(await cosignedBy(east, 0)).toBe(1);
    expect(await cosignedBy(witnessKey("other.example/w1"), 0)).toBe(1);
    expect(await cosignedBy(west, 60_000)).toBe(2);
    expect(await cosignedBy(east, 11 * 60_000)).toBe(1);
    await sql`delete from log_witness`.execute(ctx.owner.db);
  });

  test("a second not closed in time counts as a gap of its hour and day", async () => {
    const before = (await view()).market.gaps;
    // Twenty seconds pass in one leap: only the last ten can still be closed.
    elapsedSeconds += 20;
    ctx.clock.advanceTo(testStartMs + elapsedSeconds * 1_000);
    ctx.realClock.advanceMs(20_000);
    await world.services.market.feed.tick();
    await seconds(12);
    ctx.realClock.advanceMs(11_000);
    const { gaps } = (await view()).market;
    expect(gaps.hour.missing - before.hour.missing).toBeGreaterThanOrEqual(9);
    expect(gaps.day.missing).toBe(gaps.hour.missing);
    const { gaps: hours } = getInstanceHistory.answer.parse(
      await request("/api/operator/getInstanceHistory"),
    );
    expect(hours).toHaveLength(1);
    expect(hours[0]!.missing).toBe(gaps.day.missing);
  });
});

describe("the ledger", () => {
  test("every coin sums to zero, and an open order shows as exposure", async () => {
    const { ledger, exposure } = await view();
    expect(ledger.trial.map(({ coin, total }) => [coin, total])).toContainEqual(["pUSDT", "0"]);
    expect(ledger.trial.every(({ total }) => total === "0")).toBe(true);
    // A stake of ten at a rate of 90 %: the house's net payout.
    expect(exposure.filter(({ used }) => used !== "0")).toEqual([
      { contract_id: "btc-usdt", symbol: "BTC/USDT", used: "9", cap: "1000000" },
    ]);
  });

  test("a row changed outside post_journals is a difference and fails the audit", async () => {
    const { db } = ctx.owner;
    const { rows } = await sql<{ id: bigint }>`
      select id from account where owner = ${person.userId} and coin = 'pUSDT' and kind = 'available'`.execute(
      db,
    );
    const id = rows[0]?.id ?? (await anyAccount());
    await sql`update account set balance = balance + 1500000 where id = ${id}`.execute(db);
    ctx.realClock.advanceMs(11_000);
    await ctx.jobs.runNow("ledger.chain");
    await ctx.jobs.runNow("ledger.audit");
    const { ledger } = await view();
    expect(ledger.trial.find(({ coin }) => coin === "pUSDT")?.total).toBe("1.5");
    expect(ledger.audit?.findings.map(({ check }) => check)).toContain("trial_balance");
    await sql`update account set balance = balance - 1500000 where id = ${id}`.execute(db);
    await ctx.jobs.runNow("ledger.audit");
    ctx.realClock.advanceMs(11_000);
    const after = (await view()).ledger;
    expect(after.audit?.findings).toEqual([]);
    expect(after.trial.every(({ total }) => total === "0")).toBe(true);
  });
});

async function anyAccount(): Promise<bigint> {
  const { rows } = await sql<{ id: bigint }>`
    select id from account where owner = ${person.userId} and coin = 'pUSDT' order by balance desc limit 1`.execute(
    ctx.owner.db,
  );
  return rows[0]!.id;
}

describe("jobs", () => {
  test("a job's run is recorded with its duration and only the kind of its error", async () => {
    const fail = async () => {
      throw new RangeError("words of somebody");
    };
    ctx.jobs.add([{ name: "test.fails", everySeconds: 10, run: fail }]);
    await ctx.jobs.runNow("operator.purge");
    await expect(ctx.jobs.runNow("test.fails")).rejects.toThrow();
    await world.services.instance.measure();
    const { jobs } = await view();
    const job = (name: string) => jobs.find((job) => job.name === name)!;
    expect(job("operator.purge")).toMatchObject({ state: "fine", schedule: 600 });
    expect(job("operator.purge").next_ms! - job("operator.purge").last_ms!).toBe(600_000);
    expect(job("test.fails")).toMatchObject({ state: "failing", failures: 1, error: "RangeError" });
    expect(job("contracts.settle")).toMatchObject({ state: "waiting", schedule: null });
    expect(JSON.stringify(jobs)).not.toContain("somebody");
  });

  test("a job that missed its schedule is late", async () => {
    await ctx.jobs.runNow("publishing.due");
    await world.services.instance.measure();
    ctx.realClock.advanceMs(120_000);
    const { jobs } = await view();
    expect(jobs.find(({ name }) => name === "publishing.due")?.state).toBe("late");
  });
});

test("usage is counted per real day and measured every minute", async () => {
  const address = encodeAddress("peth", randomBytes(20));
  await request(withdraw.path, { coin: "pUSDT", amount: "100", address }, person);
  await seconds(80);
  await world.services.contracts.settleDue();
  await world.services.instance.measure();
  const { use, minutes, hours } = getInstanceHistory.answer.parse(
    await request("/api/operator/getInstanceHistory"),
  );
  expect(use).toEqual([
    expect.objectContaining({
      day_ms: testStartMs,
      accounts: 2,
      orders: 1,
      settled: 1,
      withdrawals: 1,
    }),
  ]);
  expect(hours).toHaveLength(1);
  expect(minutes.at(-1)!.database_bytes).toBeGreaterThan(100_000);
  const { storage, processes } = await view();
  expect(storage.log_bytes).toBeLessThan(storage.database_bytes);
  expect(storage.disk_free_bytes === null || storage.disk_free_bytes > 0).toBe(true);
  expect(processes.map(({ pid }) => pid)).toContain(process.pid);
});

describe("error reports", () => {
  const report = (message: string, page = "/home") =>
    people.data(
      getCall("/api/index/reportError"),
      { type: "script", code: "TypeError", message, page_url: page },
      "",
    );

  test("identical reports are grouped with a count and found by text and type", async () => {
    await report("x is undefined");
    ctx.realClock.advanceMs(20_000);
    await report("x is undefined");
    await report("y is undefined", "/wallet");
    const allErrors = await request("/api/operator/getErrors");
    expect(allErrors).toMatchObject({ reports: 3, types: ["script"], cut: false });
    expect(allErrors.items.map(({ count }: { count: number }) => count)).toEqual([1, 2]);
    const errors = await request("/api/operator/getErrors", { search: "X IS" });
    expect(errors.items).toHaveLength(1);
    expect((await request("/api/operator/getErrors", { type: "chunk" })).items).toEqual([]);
  });

  test("reports are deleted by age", async () => {
    await people.raise(owner);
    const clearAnswer = await request("/api/operator/clearErrors", { older_than_days: 1 });
    expect(clearAnswer).toEqual({ cleared: 0 });
    await sql`update error_log set at_ms = at_ms - 3 * 86400000 where page_url = '/wallet'`.execute(
      ctx.owner.db,
    );
    expect(await request("/api/operator/clearErrors", { older_than_days: 2 })).toEqual({
      cleared: 1,
    });
    expect((await request("/api/operator/getErrors")).reports).toBe(2);
  });
});

describe("settings", () => {
  const link = (use: string, url: string | null, revision: number) => ({
    use,
    link: url,
    revision,
  });
  const readChatLink = async () => (await request("/api/index/config")).chatLink;

  test("the chat link changes without a restart, and settings list who changed it", async () => {
    await people.raise(owner);
    const before = await request("/api/operator/getSettings");
    expect(before.chat_link).toEqual({ link: null, fallback: null, set: false, revision: 0 });
    const url = "https://help.example.org/desk";
    const { revision } = await request("/api/operator/setChatLink", link("link", url, 0));
    ctx.realClock.advanceMs(3_000);
    expect(await readChatLink()).toBe(url);
    const after = await request("/api/operator/getSettings");
    expect(after.chat_link).toMatchObject({ link: url, set: true, revision });
    expect(after.changes[0]).toMatchObject({ what: "settings.chat_link_set", name: "The owner" });
    // An operator who still sees the old value.
    expect(await findError("/api/operator/setChatLink", link("none", null, 0))).toBe(
      "instance.changed_meanwhile",
    );
    await request("/api/operator/setChatLink", link("environment", null, revision));
    ctx.realClock.advanceMs(3_000);
    expect(await readChatLink()).toBeNull();
  });

  test.each([
    ["http://help.example.org", "publishing.link_not_https"],
    ["https://t.me/somebody", "publishing.messenger"],
    [null, "publishing.link_not_https"],
  ])("%s is refused: %s", async (url, error) => {
    await people.raise(owner);
    const { revision } = (await request("/api/operator/getSettings")).chat_link;
    expect(await findError("/api/operator/setChatLink", link("link", url, revision))).toBe(error);
    expect((await request("/api/operator/getSettings")).chat_link.revision).toBe(revision);
  });

  test("the environment is listed without secrets", async () => {
    const { environment } = await request("/api/operator/getSettings");
    const getValue = (name: string) =>
      environment.find((setting: { name: string }) => setting.name === name).value;
    expect(getValue("WORLD")).toBe("test-world");
    expect(getValue("DATABASE_URL")).toBeNull();
  });
});

test.each(
  exportTables,
)("%s are exported as CSV with each row labelled as practice", async (table) => {
  const answer = await people.ask(getCall("/api/operator/exportInstance"), { table }, owner.token);
  expect(answer.headers["content-type"]).toContain("text/csv");
  const lines = answer.body.trimEnd().split("\r\n");
  expect(lines[0]).toMatch(/^practice_only_no_value,world/);
  const rows = lines.slice(1);
  expect(rows.every((row) => row.startsWith('"practice, backed by nothing",test-world'))).toBe(
    true,
  );
  const { items } = await request("/api/operator/getMyActs", { page_size: "1" });
  expect(items[0]).toMatchObject({ what: "instance.exported", target: table });
});
