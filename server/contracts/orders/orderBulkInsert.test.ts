import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import {
  catchErrorName,
  createTestContracts,
  place,
  type TestContracts,
} from "#server/testing/contracts.ts";
import type { Person } from "#server/testing/people.ts";

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

const query = (text: string, values: unknown[] = []) => t.ctx.owner.pool.query(text, values);
/** Counts the multi-statement transactions an order takes. */
async function getTransactions(run: () => Promise<unknown>): Promise<number> {
  const spy = vi.spyOn(t.ctx.database.db, "transaction");
  await run();
  const { length } = spy.mock.calls;
  spy.mockRestore();
  return length;
}

test("orders take one statement, and those under self limits the fallback path", async () => {
  const order = () => place(t, person, { tierSeconds: 300 });
  expect(await getTransactions(order)).toBe(0);
  await t.contracts.limits.setLossLimit(person.userId, 1_000_000_000n);
  expect(await getTransactions(order)).toBe(1);
});

test("a batch whose second closed before it got the accept lock rereads the time", async () => {
  const nowMs = t.ctx.clock.nowMs();
  const clock = vi.spyOn(t.ctx.clock, "nowMs");
  // The price check, the premature clock reading, and the one after it.
  clock.mockReturnValueOnce(nowMs).mockReturnValueOnce(t.market.latest()!.secondMs - 1);
  const placedOrders: unknown[] = [];
  const order = async () => void placedOrders.push(await place(t, person, { tierSeconds: 300 }));
  expect(await getTransactions(order)).toBe(0);
  clock.mockRestore();
  expect(placedOrders).toMatchObject([{ acceptedAtMs: nowMs }]);
});

test("a limit just set by another process is respected", async () => {
  await query("insert into contract_limits (user_id, loss_limit) values ($1, 150000000)", [
    person.userId,
  ]);
  expect(await catchErrorName(place(t, person, { tierSeconds: 300 }))).toBe("contracts.loss_limit");
});

test("contracts that were just switched off refuse orders", async () => {
  await query("update contract_settings set contracts_on = false");
  const refusals = await Promise.all([
    catchErrorName(place(t, person)),
    catchErrorName(place(t, person)),
  ]);
  await query("update contract_settings set contracts_on = true");
  expect(refusals).toEqual(["contracts.off", "contracts.off"]);
  expect(await catchErrorName(place(t, person))).toBeNull();
});
