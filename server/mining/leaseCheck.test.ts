import { afterAll, beforeAll, expect, test } from "vitest";
import { createAudit } from "#server/ledger/audit/audit.ts";
import { reconcileLeases } from "#server/mining/leaseCheck.ts";
import { checkStock } from "#server/mining/stockCheck.ts";
import {
  createTestMining,
  type TestMining,
  testDay,
  testHour,
  testOffer,
} from "#server/testing/mining.ts";
import { newId } from "#server/testing/people.ts";

let t: TestMining;

/** A finished lease, one ended early, and an active one. */
beforeAll(async () => {
  t = await createTestMining();
  const person = await t.openPerson(20_000);
  await t.lease(person, { days: 1 });
  const earlyLease = await t.lease(person, { days: 9 });
  await t.lease(person, { days: 5 });
  await t.closeSecond();
  await t.goTo(t.ctx.clock.nowMs() + testHour + testDay + testHour);
  await t.mining.end(person, { leaseId: earlyLease.leaseId, unusedDays: 7 }, newId(), hash);
  await t.goTo(t.ctx.clock.nowMs() + testDay);
});
afterAll(() => t.destroy());

const hash = new Uint8Array(32);
const queryAsOwner = (query: string) => t.ctx.owner.pool.query(query);

async function findings(): Promise<string[]> {
  const checks = { leases: reconcileLeases, stock: checkStock };
  const audit = createAudit(t.ctx, { contributions: { auditChecks: [checks] } });
  const { findings } = await audit.run({ complete: true });
  return [...new Set(findings.map(({ check }) => check))];
}

test("active, ended and finished leases yield no findings", async () => {
  const { rows } =
    await queryAsOwner(`select ended::int, (select count(*)::int from mining_lease) as leases,
    (select count(*)::int from mining_lease where refund_id is not null) as early,
    (select count(*)::int from mining_payout) as paid from mining_machine`);
  expect(rows).toEqual([{ ended: 2, leases: 3, early: 1, paid: 5 }]);
  expect(await findings()).toEqual([]);
});

test.each<[string, string, string]>([
  ["mining_machine", "ended", "mining.machine"],
  ["mining_machine", "lost", "mining.machine"],
  ["mining_lease", "mined", "mining.lease"],
  ["mining_lease", "worth", "mining.lease"],
  ["mining_lease", "account", "mining.lease"],
  ["mining_lease", "hashrate_ghs", "mining.lease"],
  ["mining_lease", "price_per_day", "mining.hash"],
  ["mining_lease", "accepted_at_ms", "mining.hash"],
  ["mining_lease", "refund_power", "posting.explained"],
  ["mining_payout", "amount", "posting.explained"],
  ["mining_payout", "accrual", "mining.payout"],
  ["ledger_limit", "used", "mining.stock"],
])("the audit finds a manual change of %s.%s", async (table, column, check) => {
  await queryAsOwner(`update ${table} set ${column} = ${column} + 1`);
  expect(await findings()).toContain(check);
  await queryAsOwner(`update ${table} set ${column} = ${column} - 1`);
  expect(await findings()).toEqual([]);
});

test("the audit finds a missing machine that leases and terms refer to", async () => {
  const { rows } = await queryAsOwner("select * from mining_machine");
  await queryAsOwner("alter table mining_terms drop constraint mining_terms_product_id_fkey");
  await queryAsOwner("delete from mining_machine");
  expect(await findings()).toEqual(expect.arrayContaining(["mining.machine", "mining.stock"]));
  const { ordinal, ended, lost } = rows[0];
  await queryAsOwner(
    `insert into mining_machine values ('${testOffer.productId}', ${ordinal}, ${ended}, ${lost})`,
  );
  expect(await findings()).toEqual([]);
});
