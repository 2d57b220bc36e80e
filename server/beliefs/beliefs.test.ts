import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as api from "#api/beliefs.ts";
import { type Beliefs, createBeliefs } from "#server/beliefs/beliefs.ts";
import {
  catchErrorName,
  createTestContracts,
  place,
  type TestContracts,
} from "#server/testing/contracts.ts";
import type { Person } from "#server/testing/people.ts";

let t: TestContracts;
let beliefs: Beliefs;
let person: Person;
beforeAll(async () => {
  t = await createTestContracts();
  beliefs = createBeliefs(t.ctx, {
    contracts: t.contracts,
    hosting: { beliefSubjects: async () => [] },
  });
  person = await newPerson();
});
afterAll(() => t.destroy());

async function newPerson(): Promise<Person> {
  const person = await t.openPerson();
  await t.ctx.fieldEncryption.createKey(person.userId);
  return person;
}

const state = (orderId: string, confidence: number, reason?: string, who = person) =>
  beliefs.state(who.userId, {
    kind: "order",
    order_id: orderId,
    confidence,
    ...(reason === undefined ? {} : { reason }),
  });
const readBeliefs = async (who = person) => {
  const answer = await beliefs.read(who.userId, who.attemptId);
  api.getBeliefs.answer.parse(answer);
  return answer;
};

test("a belief is shown beside its outcome once known, and scored", async () => {
  t.script((ms) => 2_000_000n + BigInt(ms % 10_000_000));
  await t.tickTo(t.at(10));
  const [up, down] = [await place(t, person), await place(t, person, { direction: "down" })];
  await state(up.orderId, 80, "  It only rises.  ");
  await state(down.orderId, 60);
  expect((await readBeliefs()).items.map(({ outcome }) => outcome)).toEqual(["open", "open"]);
  expect((await readBeliefs()).calibration).toBeNull();
  await t.tickTo(t.at(90));
  await t.contracts.settleDue();
  const { items, calibration } = await readBeliefs();
  const byOrder = new Map(items.map((belief) => [belief.order_id, belief]));
  expect(byOrder.get(up.orderId)).toMatchObject({
    outcome: "right",
    confidence: 80,
    reason: "It only rises.",
    market: { symbol: "BTC/USDT", direction: "up" },
  });
  expect(byOrder.get(down.orderId)).toMatchObject({ outcome: "wrong", reason: null });
  // (0.2² + 0.6²) / 2
  expect(calibration).toMatchObject({ count: 2, right: 1, brier: 2_000, luck_bp: null });
});

test("only the first statement counts, and it is stored encrypted", async () => {
  const { orderId } = await place(t, person);
  await state(orderId, 90, "a secret thought");
  await state(orderId, 50, "another");
  const belief = (await readBeliefs()).items.find((item) => item.order_id === orderId);
  expect(belief).toMatchObject({ confidence: 90, reason: "a secret thought" });
  const { rows } = await t.ctx.owner.pool.query<{ text: string }>(
    "select belief::text as text from belief where order_id = $1",
    [orderId],
  );
  expect(rows[0]!.text).not.toContain(Buffer.from("secret").toString("hex"));
  expect(rows[0]!.text).not.toContain("secret");
});

test("a belief is deleted by its owner only, and the order stays", async () => {
  const { orderId } = await place(t, person);
  await state(orderId, 70);
  const otherPerson = await newPerson();
  expect(await catchErrorName(beliefs.remove(otherPerson.userId, orderId))).toBe("beliefs.unknown");
  await beliefs.remove(person.userId, orderId);
  expect((await readBeliefs()).items.some((item) => item.order_id === orderId)).toBe(false);
  expect(await catchErrorName(beliefs.remove(person.userId, orderId))).toBe("beliefs.unknown");
  expect(await t.contracts.order(person.userId, orderId)).toMatchObject({ order_id: orderId });
});

test.each([
  [9, null],
  [11, "beliefs.too_late"],
])("a belief stated %i seconds after acceptance: %s", async (seconds, expected) => {
  const { orderId } = await place(t, person, { tierSeconds: 300 });
  await t.tickTo(t.ctx.clock.nowMs() + seconds * 1_000);
  expect(await catchErrorName(state(orderId, 70))).toBe(expected);
});

test("a belief about another person's order or a missing one is refused", async () => {
  const { orderId } = await place(t, person);
  const otherPerson = await newPerson();
  expect(await catchErrorName(state(orderId, 70, "x", otherPerson))).toBe("beliefs.unknown");
  expect(await catchErrorName(state(randomUUID(), 70))).toBe("beliefs.unknown");
  expect(await catchErrorName(state("'", 70))).toBe("beliefs.unknown");
});
