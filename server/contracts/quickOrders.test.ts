import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { closeGate } from "#server/platform/gate.ts";
import {
  createTestContracts,
  type Person,
  place,
  refusalOf,
  type TestContracts,
} from "#server/testing/contracts.ts";

let t: TestContracts;
let person: Person;
let second = 0;
beforeAll(async () => {
  t = await createTestContracts();
});
afterAll(() => t.destroy());
beforeEach(async () => {
  second += 100;
  await t.tickTo(t.at(second));
  person = await t.openPerson();
  await place(t, person, { tierSeconds: 300 });
});

const query = (text: string, values: unknown[] = []) => t.parts.owner.pool.query(text, values);
/** How many transactions of several statements an order takes. */
async function transactionsOf(ask: () => Promise<unknown>): Promise<number> {
  const seen = vi.spyOn(t.parts.database.db, "transaction");
  await ask();
  const { length } = seen.mock.calls;
  seen.mockRestore();
  return length;
}

test("orders take one statement; those of people with limits of their own take the long way", async () => {
  const order = () => place(t, person, { tierSeconds: 300 });
  expect(await transactionsOf(order)).toBe(0);
  await t.contracts.limits.setLossLimit(person.userId, 1_000_000_000n);
  expect(await transactionsOf(order)).toBe(1);
});

test("an order that waits while a second closes is accepted after it", async () => {
  const { db, schema } = t.parts.owner;
  const asked: Promise<{ acceptedAtMs: number }>[] = [];
  await db.transaction().execute(async (tx) => {
    await closeGate(tx, schema);
    asked.push(place(t, person, { tierSeconds: 300 }) as Promise<{ acceptedAtMs: number }>);
    await new Promise((done) => setTimeout(done, 150));
    t.parts.clock.advanceTo(t.at(second + 1));
  });
  const closing = t.feed.tick();
  const [{ acceptedAtMs }] = (await Promise.all(asked)) as [{ acceptedAtMs: number }];
  await closing;
  const closedMs = t.market.latest()!.secondMs;
  expect(closedMs).toBe(t.at(second + 1));
  const { rows } = await query(
    `select count(*)::integer as n from "${schema}".contract_order where bound_leaf is not null and accepted_at_ms = $1`,
    [acceptedAtMs],
  );
  // Accepted before the second closed and bound by it, or at its very end and waiting for the next.
  expect(rows[0].n > 0 || acceptedAtMs >= closedMs).toBe(true);
});

test("a limit that another process set a moment ago is heeded", async () => {
  await query("insert into contract_limits (user_id, loss_limit) values ($1, 150000000)", [
    person.userId,
  ]);
  expect(await refusalOf(place(t, person, { tierSeconds: 300 }))).toBe("contracts.loss_limit");
});

test("contracts that were switched off a moment ago sell nothing", async () => {
  await query("update contract_settings set contracts_on = false");
  const refusals = await Promise.all([refusalOf(place(t, person)), refusalOf(place(t, person))]);
  await query("update contract_settings set contracts_on = true");
  expect(refusals).toEqual(["contracts.off", "contracts.off"]);
  expect(await refusalOf(place(t, person))).toBeNull();
});
