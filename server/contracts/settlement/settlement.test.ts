import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestContracts, place, type TestContracts } from "#server/testing/contracts.ts";

const pusdt = (units: number) => BigInt(units) * 1_000_000n;
let t: TestContracts;
let second = 0;

beforeAll(async () => {
  t = await createTestContracts();
});
afterAll(() => t.destroy());

/** Every case starts on a fresh stretch of time at a price of 23 123.45. */
async function begin(): Promise<number> {
  t.script(() => 2_312_345n);
  // More than any case takes: the last second of one must not be past the start of the next.
  second += 400;
  await t.tickTo(t.at(second) + 500);
  return second;
}

describe("an order of 100 on 60 seconds", () => {
  test.each([
    ["up and higher wins and pays 190", "up", 1n, "won", 190],
    ["up and lower loses the stake", "up", -1n, "lost", 0],
    ["down and lower wins", "down", -1n, "won", 190],
    ["down and higher loses", "down", 1n, "lost", 0],
    ["equal prices tie and return the stake without the fee", "up", 0n, "tie", 100],
  ] as const)("%s", async (_title, direction, move, outcome, back) => {
    const start = await begin();
    const person = await t.openPerson(1_000);
    const { orderId } = await place(t, person, { direction });
    expect(await t.balance(person)).toBe(pusdt(899));
    expect(await t.contracts.order(person.userId, orderId)).toMatchObject({
      status: "waiting",
      bound_leaf: null,
    });
    // Accepted half a second after `start`: bound by start + 1, entered at start + 2.
    await t.tickTo(t.at(start + 2));
    const enteredOrder = await t.contracts.order(person.userId, orderId);
    expect(enteredOrder).toMatchObject({
      entry_at_ms: t.at(start + 2),
      purchase_price: "23123.45",
      delivery_at_ms: t.at(start + 62),
      status: "waiting",
    });
    t.script(() => 2_312_345n + move);
    await t.tickTo(t.at(start + 53));
    expect((await t.contracts.order(person.userId, orderId)).status).toBe("closing");
    await t.tickTo(t.at(start + 62));
    await t.contracts.settleDue();
    expect(await t.contracts.order(person.userId, orderId)).toMatchObject({
      status: "over",
      outcome,
      payout: String(back),
      net: String(back - 101),
    });
    expect(await t.balance(person)).toBe(pusdt(899 + back));
  });
});

test.each([
  ["60 s, a window of ten seconds", 60, 52],
  ["300 s, a window of a minute", 300, 242],
])("waiting turns to closing W seconds before delivery: %s", async (_title, tierSeconds, opens) => {
  const start = await begin();
  const person = await t.openPerson(1_000);
  const { orderId } = await place(t, person, { tierSeconds });
  const listStatuses = async () => {
    const { status } = await t.contracts.order(person.userId, orderId);
    const filter = { contractId: null, upToSeq: null, limit: 10, offset: 0 };
    const [waiting, closing] = await Promise.all(
      (["waiting", "closing"] as const).map(
        async (status) =>
          (await t.contracts.orders(person.userId, { ...filter, status: status })).items,
      ),
    );
    return { status, waiting: waiting!.length, closing: closing!.length };
  };
  expect(await listStatuses()).toEqual({ status: "waiting", waiting: 1, closing: 0 });
  await t.tickTo(t.at(start + opens) - 1);
  expect(await listStatuses()).toEqual({ status: "waiting", waiting: 1, closing: 0 });
  await t.tickTo(t.at(start + opens));
  expect(await listStatuses()).toEqual({ status: "closing", waiting: 0, closing: 1 });
});

describe("an order accepted exactly when a second ends", () => {
  const findLeaf = async (atMs: number) =>
    (await t.ctx.owner.pool.query("select leaf from market_second where second_ms = $1", [atMs]))
      .rows[0].leaf as bigint;

  test("the order is bound by that second if it is still open", async () => {
    const start = await begin();
    const person = await t.openPerson(1_000);
    t.ctx.realClock.advanceMs(500);
    t.ctx.clock.advanceTo(t.at(start + 1));
    const { orderId, acceptedAtMs } = await place(t, person);
    expect(acceptedAtMs).toBe(t.at(start + 1));
    await t.feed.tick();
    expect(await t.contracts.order(person.userId, orderId)).toMatchObject({
      bound_leaf: Number(await findLeaf(t.at(start + 1))),
    });
  });

  test("the order is bound by the next second if the first has closed", async () => {
    const start = await begin();
    const person = await t.openPerson(1_000);
    await t.tickTo(t.at(start + 1));
    const { orderId, acceptedAtMs } = await place(t, person);
    expect(acceptedAtMs).toBe(t.at(start + 1));
    await t.tickTo(t.at(start + 3));
    expect(await t.contracts.order(person.userId, orderId)).toMatchObject({
      bound_leaf: Number(await findLeaf(t.at(start + 2))),
      entry_at_ms: t.at(start + 3),
      purchase_price: "23123.45",
    });
  });
});

describe("a void order returns stake and fee", () => {
  test("an entry more than two seconds after acceptance voids the order", async () => {
    const start = await begin();
    const person = await t.openPerson(1_000);
    const { orderId } = await place(t, person);
    t.script(() => null);
    await t.tickTo(t.at(start + 2));
    t.script(() => 2_312_345n);
    await t.tickTo(t.at(start + 3));
    await t.contracts.settleDue();
    expect(await t.contracts.order(person.userId, orderId)).toMatchObject({
      outcome: "void",
      void_reason: "no_entry",
      purchase_price: null,
      payout: "101",
      net: "0",
    });
    expect(await t.balance(person)).toBe(pusdt(1_000));
  });

  test("the first second past the two voids the order, even in a gap", async () => {
    const start = await begin();
    const person = await t.openPerson(1_000);
    const { orderId } = await place(t, person);
    t.script(() => null);
    await t.tickTo(t.at(start + 2));
    await t.contracts.settleDue();
    expect((await t.contracts.order(person.userId, orderId)).outcome).toBeNull();
    await t.tickTo(t.at(start + 3));
    await t.contracts.settleDue();
    expect(await t.contracts.order(person.userId, orderId)).toMatchObject({
      void_reason: "no_entry",
    });
  });

  test("fewer than eight of ten samples void the order", async () => {
    const start = await begin();
    const person = await t.openPerson(1_000);
    const { orderId } = await place(t, person);
    // The window is seconds 53 to 62.
    await t.tickTo(t.at(start + 52));
    t.script((ms) => (ms <= t.at(start + 55) ? null : 2_400_000n));
    await t.tickTo(t.at(start + 62));
    await t.contracts.settleDue();
    expect(await t.contracts.order(person.userId, orderId)).toMatchObject({
      outcome: "void",
      void_reason: "few_samples",
      purchase_price: "23123.45",
      selling_price: null,
    });
    expect(await t.balance(person)).toBe(pusdt(1_000));
  });

  test("eight of ten samples settle the order", async () => {
    const start = await begin();
    const person = await t.openPerson(1_000);
    const { orderId } = await place(t, person);
    await t.tickTo(t.at(start + 52));
    t.script((ms) => (ms <= t.at(start + 54) ? null : 2_400_000n));
    await t.tickTo(t.at(start + 62));
    await t.contracts.settleDue();
    expect((await t.contracts.order(person.userId, orderId)).outcome).toBe("won");
  });

  test("an outage at delivery voids the order once the log has passed it", async () => {
    const start = await begin();
    const person = await t.openPerson(1_000);
    const { orderId } = await place(t, person);
    await t.tickTo(t.at(start + 20));
    t.ctx.clock.advanceTo(t.at(start + 150));
    await t.contracts.settleDue();
    expect((await t.contracts.order(person.userId, orderId)).outcome).toBeNull();
    await t.feed.tick();
    await t.contracts.settleDue();
    expect(await t.contracts.order(person.userId, orderId)).toMatchObject({
      void_reason: "few_samples",
    });
    expect(await t.balance(person)).toBe(pusdt(1_000));
  });
});

describe("settlement", () => {
  test("settlement posts one journal with one house leg and updates the limits", async () => {
    const start = await begin();
    const people = await Promise.all(Array.from({ length: 6 }, () => t.openPerson(1_000)));
    const before = await counts();
    for (const [i, person] of people.entries())
      await place(t, person, { direction: i < 4 ? "up" : "down" });
    expect(await exposure()).toBe(6n * pusdt(90));
    t.script((ms) => (ms > t.at(start + 2) ? 2_312_400n : 2_312_345n));
    await t.tickTo(t.at(start + 62));
    expect(await t.contracts.settleDue()).toBe(6);
    const { rows } = await t.ctx.owner.pool.query(
      `select e.amount, a.house from journal j join entry e on e.journal_id = j.id join account a on a.id = e.account
       where j.kind = 'contract.settle' and j.at_ms >= $1 order by e.leg`,
      [t.at(start + 62)],
    );
    expect(rows.map((row) => [row.house, row.amount])).toEqual([
      ...Array.from({ length: 4 }, () => [false, pusdt(190)]),
      [true, -4n * pusdt(190)],
    ]);
    expect(await exposure()).toBe(0n);
    const after = await counts();
    expect([after.won - before.won, after.lost - before.lost]).toEqual([4n, 2n]);
    expect(await t.contracts.settleDue()).toBe(0);
  });

  test("a second in which every order lost posts the house's gain", async () => {
    const start = await begin();
    const person = await t.openPerson(1_000);
    await place(t, person, { direction: "down" });
    t.script((ms) => (ms > t.at(start + 2) ? 2_312_400n : 2_312_345n));
    await t.tickTo(t.at(start + 62));
    expect(await t.contracts.settleDue()).toBe(1);
    expect(await exposure()).toBe(0n);
    expect(await t.balance(person)).toBe(pusdt(899));
  });

  test("concurrent settlements pay once", async () => {
    const start = await begin();
    const person = await t.openPerson(1_000);
    await place(t, person);
    t.script((ms) => (ms > t.at(start + 2) ? 2_312_400n : 2_312_345n));
    await t.tickTo(t.at(start + 62));
    const settledCounts = await Promise.all([t.contracts.settleDue(), t.contracts.settleDue()]);
    expect(settledCounts.sort()).toEqual([0, 1]);
    expect(await t.balance(person)).toBe(pusdt(899 + 190));
  });

  test("a settlement whose journal cannot post settles nothing", async () => {
    const start = await begin();
    const person = await t.openPerson(1_000);
    const { orderId } = await place(t, person);
    await t.tickTo(t.at(start + 62));
    const { pool } = t.ctx.owner;
    const id = settlementId("btc-usdt", t.at(start + 62));
    await pool.query("insert into used_key (id, body_hash) values ($1, $2)", [
      id,
      Buffer.alloc(32),
    ]);
    await expect(t.contracts.settleDue()).rejects.toMatchObject({ code: "DD302" });
    expect(await t.contracts.order(person.userId, orderId)).toMatchObject({ outcome: null });
    expect(await t.balance(person)).toBe(pusdt(899));
    await pool.query("delete from used_key where id = $1", [id]);
    expect(await t.contracts.settleDue()).toBe(1);
    const { rows } = await pool.query("select kind from journal where id = $1", [id]);
    expect(rows).toEqual([{ kind: "contract.settle" }]);
  });

  test("a settled order cannot be changed by any role", async () => {
    const { pool } = t.ctx.owner;
    await expect(
      pool.query(
        "update contract_order set settled_at_ms = settled_at_ms + 1 where settled_at_ms is not null",
      ),
    ).rejects.toMatchObject({ code: "DD301" });
    for (const statement of [
      "update contract_order set outcome = 'won'",
      "delete from contract_order",
      "truncate contract_order",
      "update contract_terms set version = 9",
      "update contract set lost = 0",
    ]) {
      await expect(t.ctx.database.pool.query(statement)).rejects.toMatchObject({ code: "42501" });
    }
  });
});

/** As `settlement_journal_id` makes it. */
function settlementId(contractId: string, dueAtMs: number): string {
  const name = `drydock.contract.settle/1|${t.ctx.world.name}|${contractId}|${dueAtMs}|0`;
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(dueAtMs, 0, 6);
  createHash("sha256").update(name).digest().copy(bytes, 6, 0, 10);
  bytes[6] = (bytes[6]! & 15) | 128;
  bytes[8] = (bytes[8]! & 63) | 128;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

async function exposure(): Promise<bigint> {
  const { rows } = await t.ctx.owner.pool.query(
    "select used from ledger_limit where key = 'contracts.exposure:btc-usdt'",
  );
  return rows[0]?.used ?? 0n;
}

async function counts() {
  const { rows } = await t.ctx.owner.pool.query(
    "select won, lost, tied, voided from contract where id = 'btc-usdt'",
  );
  return rows[0] as { won: bigint; lost: bigint; tied: bigint; voided: bigint };
}
