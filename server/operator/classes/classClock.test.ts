import { afterAll, beforeAll, expect, test } from "vitest";
import { withdrawCancelMs } from "#core/withdraw/withdraw.ts";
import type { World } from "#server/app/modules.ts";
import { createAudit } from "#server/ledger/audit/audit.ts";
import { pauseLeadMs } from "#server/operator/classes/classClock.ts";
import { createRunningClock } from "#server/platform/clock/clock.ts";
import { readPauses } from "#server/platform/clock/pauses.ts";
import type { People, TestPerson } from "#server/testing/signedIn.ts";
import { createTestApp, getCall, type TestApp } from "#server/testing/testApp.ts";
import type { TestContext } from "#server/testing/testContext.ts";
import { createAddress } from "#server/withdraw/testing.ts";

/** A class is paused and resumed in a whole world. */
let ctx: TestContext;
let world: World;
let close: TestApp["close"];
let people: People;
let teacher: TestPerson;
let pupil: TestPerson;

beforeAll(async () => {
  ({ ctx, world, people, close } = await createTestApp());
  teacher = await people.operator("owner");
  pupil = await people.signIn();
  await tick(5_000);
});
afterAll(async () => {
  const { findings } = await createAudit(ctx).run();
  expect(findings).toEqual([]);
  await close();
});

const classCall = (name: string) => getCall(`/api/operator/class/${name}`);
const data = (path: string, payload: object, who = pupil) =>
  people.data(getCall(path), payload, who.token);
const getOutcome = async (path: string, payload: object, who = pupil): Promise<string> =>
  (await people.ask(getCall(path), payload as Record<string, unknown>, who.token)).json().error ??
  "done";
const teach = async (name: string, payload: object): Promise<string> => {
  await people.raise(teacher);
  return getOutcome(classCall(name).path, payload, teacher);
};
const clockState = async () => (await data(classCall("getClass").path, {}, teacher)).clock;

/** Moves both clocks, world time no further than a pause. */
async function tick(ms: number): Promise<void> {
  ctx.realClock.advanceMs(ms);
  for (let remaining = ms; remaining > 0; remaining -= 1_000) {
    ctx.clock.advanceTo(ctx.clock.nowMs() + Math.min(1_000, remaining));
    await world.services.market.feed.tick();
  }
  await world.services.transparencyLog.integrate();
}

async function orderParams() {
  const { items } = await data("/api/contract/getContractList", {});
  const contract = items.find((contract: { symbol: string }) => contract.symbol === "BTC/USDT");
  const { terms } = await data("/api/contract/getContractDetails", {
    contract_id: contract.contract_id,
  });
  return {
    contract_id: contract.contract_id,
    tier: 60,
    direction: "up",
    stake: "20",
    terms_hash: terms.terms_hash ?? contract.terms_hash,
  };
}
const orderPath = "/api/contract/contractPlaceOrder";

test("a pause stops new positions, pays withdrawals and settles orders in their seconds", async () => {
  const params = await orderParams();
  const placement = await data(orderPath, params);
  expect(await teach("pauseClock", { at_ms: null })).toBe("done");
  const { pause, now_ms: nowMs } = await clockState();
  expect(pause.at_ms).toBe(Math.ceil((nowMs + pauseLeadMs) / 1_000) * 1_000);
  expect((await data("/api/index/config", {})).world.pause).toEqual({ at_ms: pause.at_ms });
  // Announced but not yet reached.
  expect(await getOutcome(orderPath, params)).toBe("done");

  await tick(30_000);
  expect(ctx.clock.nowMs()).toBe(pause.at_ms);
  expect(await getOutcome(orderPath, params)).toBe("class.paused");
  const quote = { from: "pUSDT", to: "pBTC", amount: "50" };
  expect(await getOutcome("/api/user/quoteExchange", quote)).toBe("class.paused");

  const withdrawal = { coin: "pUSDT", address: createAddress("pUSDT") };
  const remainder = await data("/api/user/withdraw", { ...withdrawal, amount: "100" });
  ctx.realClock.advanceMs(withdrawCancelMs - 5_000);
  expect(await world.services.withdraw.leaveDue()).toBe(0);
  ctx.realClock.advanceMs(5_000);
  expect(await world.services.withdraw.leaveDue()).toBe(1);
  const { state } = await data("/api/user/findWithdraw", {
    withdrawal_id: remainder.withdrawal_id,
  });
  expect(state).toBe("over");

  // A process that starts now reads the same world time.
  const runningClock = createRunningClock(
    { worldMs: pause.at_ms - 60_000, realMs: ctx.realClock.nowMs() - 600_000, speed: 1 },
    ctx.realClock,
  );
  for (const pause of await readPauses(ctx.database.db)) runningClock.applyPause(pause);
  expect(runningClock.nowMs()).toBe(pause.at_ms);

  expect(await teach("resumeClock", { ordinal: pause.ordinal })).toBe("done");
  expect((await clockState()).pause).toBeNull();
  await tick(120_000);
  await world.services.contracts.settleDue();
  const order = await data("/api/contract/findOrderStatus", { order_id: placement.order_id });
  expect(["won", "lost", "void"]).toContain(order.outcome);
  const gaps = await ctx.owner.pool.query("select count(*)::int as n from market_gap");
  expect(gaps.rows[0].n).toBe(0);
}, 60_000);

test("a pause is announced to the second, can be cancelled, and excludes another", async () => {
  const { now_ms: nowMs } = await clockState();
  expect(await teach("pauseClock", { at_ms: nowMs + 2_000 })).toBe("class.pause_out_of_range");
  expect(await teach("pauseClock", { at_ms: nowMs + 8 * 86_400_000 })).toBe(
    "class.pause_out_of_range",
  );
  expect(await teach("pauseClock", { at_ms: nowMs + 3_600_500 })).toBe("done");
  const { pause } = await clockState();
  expect(pause.at_ms % 1_000).toBe(0);
  expect(await teach("pauseClock", { at_ms: null })).toBe("class.changed_meanwhile");
  expect(await teach("resumeClock", { ordinal: pause.ordinal + 1 })).toBe(
    "class.changed_meanwhile",
  );
  expect(await teach("resumeClock", { ordinal: pause.ordinal })).toBe("done");
  expect(await teach("resumeClock", { ordinal: pause.ordinal })).toBe("class.changed_meanwhile");
  await tick(20_000);
  expect(ctx.clock.nowMs()).toBeGreaterThan(nowMs + 15_000);
}, 60_000);
