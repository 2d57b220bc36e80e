import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestContracts, place, type TestContracts } from "#server/testing/contracts.ts";
import type { Person } from "#server/testing/people.ts";

const pusdt = (units: number) => BigInt(units) * 1_000_000n;
let t: TestContracts;
let person: Person;
let start = 0;
let orderId = "";

beforeAll(async () => {
  t = await createTestContracts();
});
afterAll(() => t.destroy());
beforeEach(async () => {
  t.script(() => 2_312_345n);
  start += 100;
  await t.tickTo(t.at(start) + 500);
  person = await t.openPerson(1_000);
  ({ orderId } = await place(t, person));
  t.script((ms) => (ms > t.at(start + 2) ? 2_312_400n : 2_312_345n));
});

async function paidOnce(): Promise<void> {
  expect(await t.balance(person)).toBe(pusdt(899 + 190));
  const { rows } = await t.ctx.owner.pool.query(
    "select count(*) from entry where about = $1 and amount > 0",
    [orderId],
  );
  expect(rows[0].count).toBe(1n);
}

/**
 * Waits until settlement blocks on a lock of backend `holder`, and returns its backend pid. Other
 * tests share the server.
 */
async function backendBehind(holder: number): Promise<number> {
  for (;;) {
    // As the application: a role sees only its own sessions' statements, and may end only those.
    const { rows } = await t.ctx.database.pool.query(
      `select pid from pg_stat_activity
       where query like '%settle_contracts%' and pid <> pg_backend_pid() and $1 = any(pg_blocking_pids(pid))`,
      [holder],
    );
    if (rows[0]) return rows[0].pid;
    await sleep(10);
  }
}

describe("a crash", () => {
  test("a crash during settlement leaves the second due, and the next run pays once", async () => {
    await t.tickTo(t.at(start + 62));
    const holder = await t.ctx.owner.pool.connect();
    await holder.query("begin");
    // The last thing settlement touches: orders are already updated, and the posting waits for its
    // account.
    await holder.query("select from account where attempt_id = $1 for update", [person.attemptId]);
    // The pool must have noticed before it is used again, or the next query gets the dying
    // connection.
    const noticed = new Promise((resolve) => t.ctx.database.pool.once("remove", resolve));
    const settling = t.contracts.settleDue().catch((error: unknown) => error);
    const { rows: ownRows } = await holder.query("select pg_backend_pid() as pid");
    await t.ctx.database.pool.query("select pg_terminate_backend($1)", [
      await backendBehind(ownRows[0].pid),
    ]);
    expect(await settling).toBeInstanceOf(Error);
    await noticed;
    await holder.query("commit");
    holder.release();
    expect((await t.contracts.order(person.userId, orderId)).outcome).toBeNull();
    expect(await t.balance(person)).toBe(pusdt(899));
    expect(await t.contracts.settleDue()).toBe(1);
    await paidOnce();
  });

  test("a crash after settlement leaves nothing for the next run", async () => {
    await t.tickTo(t.at(start + 62));
    expect(await t.contracts.settleDue()).toBe(1);
    expect(await t.contracts.settleDue()).toBe(0);
    await paidOnce();
  });

  test("a crash while closing a second closes it again with its logged price", async () => {
    const failing = () => {
      throw new Error("the process died here");
    };
    t.script(() => 2_999_999n);
    t.ctx.clock.advanceTo(t.at(start + 1));
    t.onSecond.push({ beforeAppend: async () => (isDying ? failing() : new Map()) });
    let isDying = true;
    await expect(t.feed.tick()).rejects.toThrow("died");
    expect(await t.contracts.order(person.userId, orderId)).toMatchObject({ bound_leaf: null });
    isDying = false;
    t.script((ms) => (ms > t.at(start + 2) ? 2_312_400n : 2_312_345n));
    await t.feed.tick();
    expect((await t.contracts.order(person.userId, orderId)).bound_leaf).toBeGreaterThan(0);
    await t.tickTo(t.at(start + 62));
    await t.contracts.settleDue();
    await paidOnce();
  });

  test("a crash between closing and settling is settled by the next process", async () => {
    await t.tickTo(t.at(start + 62));
    t.ctx.jobs.start();
    while ((await t.contracts.order(person.userId, orderId)).outcome === null) await sleep(10);
    await t.ctx.jobs.stop();
    await paidOnce();
  });
});

test("an existing journal for the contract and second refuses a second settlement", async () => {
  await t.tickTo(t.at(start + 62));
  const { rows } = await t.ctx.owner.pool.query(
    "select settlement_journal_id($1, 'btc-usdt', $2) as id",
    [t.ctx.world.name, t.at(start + 62)],
  );
  await t.ctx.owner.pool.query(
    `insert into journal (id, kind, body_hash, at_ms) values ($1, 'contract.settle', sha256('x'), 0)`,
    [rows[0].id],
  );
  await expect(t.contracts.settleDue()).rejects.toMatchObject({ code: "DD302" });
  expect((await t.contracts.order(person.userId, orderId)).outcome).toBeNull();
  await t.ctx.owner.pool.query("delete from journal where id = $1", [rows[0].id]);
  await t.contracts.settleDue();
  await paidOnce();
});
