import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ClassDebrief } from "#api/operator/debrief.ts";
import { openDebrief } from "#api/operator/debrief.ts";
import { peopleMin } from "#core/classes/masking.ts";
import { dayMs } from "#core/money/time.ts";
import type { World } from "#server/app/modules.ts";
import { createAudit } from "#server/ledger/audit/audit.ts";
import type { People, TestPerson } from "#server/testing/signedIn.ts";
import { createTestApp, getCall, type TestApp } from "#server/testing/testApp.ts";
import type { TestContext } from "#server/testing/testContext.ts";
import { createAddress } from "#server/withdraw/testing.ts";

/** A class of six trades and is debriefed, in a whole world. */
let ctx: TestContext;
let world: World;
let close: TestApp["close"];
let people: People;
let teacher: TestPerson;
let classLink: { class_id: string; code: string };
const pupils: TestPerson[] = [];

beforeAll(async () => {
  ({ ctx, world, people, close } = await createTestApp());
  teacher = await people.operator("owner");
  await people.raise(teacher);
  const params = {
    label: "Evening class",
    limit: 30,
    expires_at_ms: ctx.realClock.nowMs() + dayMs,
  };
  classLink = (await data("/api/operator/class/makeLink", params, teacher)).link;
  await tick(5_000);
}, 60_000);
afterAll(async () => {
  const { findings } = await createAudit(ctx).run();
  expect(findings).toEqual([]);
  await close();
});

const data = (path: string, payload: object, who: TestPerson) =>
  people.data(getCall(path), payload, who.token);
const open = async (recount = false, class_id = classLink.class_id): Promise<ClassDebrief> => {
  const answer = await people.data(openDebrief, { class_id, recount }, teacher.token);
  openDebrief.answer.parse(answer);
  return answer;
};
const getRefusal = async (class_id: string): Promise<string> =>
  (await people.ask(openDebrief, { class_id, recount: false }, teacher.token)).json().error;
const agree = (person: TestPerson, agreed = true) =>
  data("/api/belief/setClassConsent", { agreed }, person);

async function tick(ms: number): Promise<void> {
  ctx.realClock.advanceMs(ms);
  for (let remaining = ms; remaining > 0; remaining -= 1_000) {
    ctx.clock.advanceTo(ctx.clock.nowMs() + Math.min(1_000, remaining));
    await world.services.market.feed.tick();
  }
  await world.services.transparencyLog.integrate();
}

async function join(count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    pupils.push(await people.signIn(500 + pupils.length, classLink.code));
  }
}

/** One order each, with how sure they are, settled. */
async function order(people: readonly TestPerson[], confidence: (index: number) => number) {
  for (const [index, pupil] of people.entries()) {
    const { items } = await data("/api/contract/getContractList", {}, pupil);
    const { contract_id } = items.find(
      (contract: { symbol: string }) => contract.symbol === "BTC/USDT",
    );
    const { terms } = await data("/api/contract/getContractDetails", { contract_id }, pupil);
    const { terms_hash } = terms;
    const params = { contract_id, terms_hash, tier: 60, direction: "up", stake: "20" };
    const { order_id } = await data("/api/contract/contractPlaceOrder", params, pupil);
    const belief = { kind: "order", order_id, confidence: confidence(index), reason: "a hunch" };
    await data("/api/belief/stateBelief", belief, pupil);
  }
  await tick(90_000);
  await world.services.contracts.settleDue();
  await tick(2_000);
}
const recordsOf = async (person: TestPerson): Promise<string[]> => {
  const { items } = await data("/api/user/getTransferRecord", {}, person);
  return items.flatMap((entry: { act: { what: string } | null }) => entry.act?.what ?? []);
};

test("a class of four and an unknown class have no debrief", async () => {
  await join(peopleMin - 1);
  expect(await getRefusal(classLink.class_id)).toBe("class.debrief_few");
  expect(await getRefusal(randomUUID())).toBe("class.link_unknown");
  expect(await getRefusal("'")).toBe("class.link_unknown");
});

test("consent is off by default, revocable, and offered to people in a class only", async () => {
  await join(2);
  const outsider = await people.signIn(900);
  const consent = (person: TestPerson) => data("/api/belief/getClassConsent", {}, person);
  expect(await consent(pupils[0]!)).toEqual({ in_class: true, agreed_at_ms: null });
  expect(await agree(pupils[0]!)).toEqual({ in_class: true, agreed_at_ms: expect.any(Number) });
  expect(await agree(pupils[0]!, false)).toEqual({ in_class: true, agreed_at_ms: null });
  expect(await consent(outsider)).toEqual({ in_class: false, agreed_at_ms: null });
  const answer = await people.ask(
    getCall("/api/belief/setClassConsent"),
    { agreed: true },
    outsider.token,
  );
  expect(answer.json().error).toBe("beliefs.no_class");
});

test("figures cover at least five people, and beliefs only with consent", async () => {
  // The sixth never agrees, and would move the mean.
  await order(pupils, (index) => (index === 5 ? 100 : 60));
  for (const pupil of pupils.slice(0, 5)) await agree(pupil);
  const { figures, label, people: peopleCount } = await open();
  expect({ label, all: peopleCount }).toEqual({ label: "Evening class", all: 6 });
  expect(figures.orders!.content).toMatchObject({ people: { size: "most" }, decided: 6 });
  expect([0, 100]).toContain(figures.orders!.content.right_percent);
  expect(figures.beliefs!.content).toMatchObject({ people: { size: "most" }, stated_percent: 60 });
  expect(figures.results!.content.ranges).toEqual([
    { from: expect.toBeOneOf([null, 0]), to: expect.toBeOneOf([null, 0]), people: 6 },
  ]);
  expect(figures.costs!.content.fees).toBe(1);
  expect(figures.withdrawals!.content).toEqual({ size: "few" });
});

const countedText = "Confidence counted in the class debrief";

test("a person whose texts are counted sees it in their records; no one else does", async () => {
  expect(await recordsOf(pupils[0]!)).toContain(countedText);
  expect(await recordsOf(pupils[5]!)).not.toContain(countedText);
  const before = (await recordsOf(pupils[0]!)).length;
  await open();
  // The stored figure is returned: nothing was reread.
  expect(await recordsOf(pupils[0]!)).toHaveLength(before);
  const { rows } = await ctx.owner.pool.query(
    "select count(*)::int as n from operator_audit_event where what = 'class.debrief_opened'",
  );
  expect(rows[0].n).toBe(2);
});

test("stored figures name no one, and each part is encrypted", async () => {
  const { rows: figures } = await ctx.owner.pool.query("select content from class_figure");
  expect(figures).toHaveLength(5);
  for (const { content } of figures) {
    for (const { userId } of pupils) expect(content).not.toContain(userId);
  }
  const { rows } = await ctx.owner.pool.query(
    "select content_encrypted as content from class_figure_part",
  );
  expect(rows).toHaveLength(30);
  for (const { content } of rows) expect((content as Buffer)[0]).toBe(1);
});

test("a figure stays as it was until the parts of five people have changed", async () => {
  const first = await open();
  await order(pupils.slice(0, 4), () => 70);
  const repeated = await open(true);
  expect(repeated.figures.orders).toEqual(first.figures.orders);
  expect(repeated.figures.costs).toEqual(first.figures.costs);
  expect(repeated.figures.beliefs).toEqual(first.figures.beliefs);
  await order([pupils[4]!], () => 70);
  const then = await open(true);
  expect(then.figures.orders!.content.decided).toBe(11);
  expect(then.figures.orders!.counted_at_ms).toBeGreaterThan(first.figures.orders!.counted_at_ms);
  expect(then.figures.beliefs!.content.stated_percent).toBe(65);
});

test("a person who withdraws everything is counted with at least four others", async () => {
  for (const pupil of pupils.slice(0, 5)) {
    const { items } = await data("/api/user/getWalletList", {}, pupil);
    for (const { coin, available } of items as { coin: string; available: string }[]) {
      if (Number(available) === 0) continue;
      const params = { coin, amount: available, address: createAddress(coin as "pUSDT") };
      await data("/api/user/withdraw", params, pupil);
    }
  }
  const { figures } = await open(true);
  expect(figures.withdrawals!.content).toEqual({ size: "most" });
});

test("revoking consent deletes the figure", async () => {
  await agree(pupils[1]!, false);
  expect((await open()).figures.beliefs).toBeNull();
  // Four are left, and their count would reveal data of the one who left.
  expect((await open(true)).figures.beliefs).toBeNull();
  await agree(pupils[1]!);
  expect((await open()).figures.beliefs).not.toBeNull();
});

test("figures are deleted thirty days after the last day", async () => {
  ctx.realClock.advanceMs(32 * dayMs);
  teacher = await people.signIn(teacher.key);
  await people.raise(teacher);
  expect(await getRefusal(classLink.class_id)).toBe("class.debrief_over");
  await ctx.jobs.runNow("debrief.ended");
  const { rows } = await ctx.owner.pool.query(
    "select (select count(*) from class_figure)::int + (select count(*) from class_figure_part)::int as n",
  );
  expect(rows[0].n).toBe(0);
});
