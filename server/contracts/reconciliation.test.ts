import { afterAll, beforeAll, expect, test } from "vitest";
import { reconcileContracts } from "#server/contracts/reconciliation.ts";
import { createAudit } from "#server/ledger/audit/audit.ts";
import { createTestContracts, place, type TestContracts } from "#server/testing/contracts.ts";

let t: TestContracts;

/** Orders that won, lost, tied and were void, and one that is open. */
beforeAll(async () => {
  t = await createTestContracts();
  t.script((ms) => (ms < t.at(30) ? 2_300_000n : ms < t.at(75) ? 2_400_000n : null));
  const person = await t.openPerson(10_000);
  await t.tickTo(t.at(5));
  await place(t, person, { direction: "up" });
  await place(t, person, { direction: "down", stake: "70" });
  await t.tickTo(t.at(74));
  await place(t, person, { stake: "30" });
  await t.tickTo(t.at(90));
  t.script(() => 2_300_000n);
  await t.tickTo(t.at(95));
  await place(t, person, { stake: "20" });
  await t.tickTo(t.at(165));
  await place(t, person, { stake: "55", tierSeconds: 300 });
  await t.tickTo(t.at(170));
  await t.contracts.settleDue();
  await queryAsOwner("alter table contract_order disable trigger user");
});
afterAll(() => t.destroy());

const queryAsOwner = (query: string) => t.ctx.owner.pool.query(query);

async function findings(): Promise<string[]> {
  const contributions = { auditChecks: [{ contracts: reconcileContracts }] };
  const { findings } = await createAudit(t.ctx, { contributions }).run({ complete: true });
  return [...new Set(findings.map(({ check }) => check))];
}

test("orders of every outcome yield no findings", async () => {
  const { rows } = await queryAsOwner(
    "select coalesce(outcome, 'open') as outcome, count(*)::int from contract_order group by 1",
  );
  const countByOutcome = Object.fromEntries(rows.map(({ outcome, count }) => [outcome, count]));
  expect(countByOutcome).toEqual({ won: 1, lost: 1, tie: 1, void: 1, open: 1 });
  expect(await findings()).toEqual([]);
});

test.each<[string, string, string]>([
  ["ledger_limit", "used", "contracts.limit"],
  ["contract", "tied", "contracts.counts"],
  ["contract_order", "range_bp", "contracts.hash"],
  ["contract_order", "accepted_at_ms", "contracts.hash"],
  ["contract_order", "account", "contracts.order"],
  ["contract_order", "due_at_ms", "contracts.prices"],
  ["contract_order", "delivery_at_ms", "contracts.prices"],
  ["contract_order", "entry_leaf", "contracts.prices"],
  ["contract_order", "purchase_price", "contracts.prices"],
  ["contract_order", "selling_price", "contracts.settlement"],
])("the audit finds a manual change of %s.%s", async (table, column, check) => {
  await queryAsOwner(`update ${table} set ${column} = ${column} + 1`);
  expect(await findings()).toContain(check);
  await queryAsOwner(`update ${table} set ${column} = ${column} - 1`);
  expect(await findings()).toEqual([]);
});

test("the audit finds an entry at a leaf that is not a second", async () => {
  await queryAsOwner("create table kept as select seq, entry_leaf from contract_order");
  await queryAsOwner("update contract_order set entry_leaf = 1000000 where entry_leaf is not null");
  expect(await findings()).toContain("contracts.prices");
  await queryAsOwner(
    "update contract_order o set entry_leaf = k.entry_leaf from kept k where k.seq = o.seq",
  );
  expect(await findings()).toEqual([]);
});

test("the audit finds a lost order turned into a win and a deleted order", async () => {
  await queryAsOwner("update contract_order set outcome = 'won' where outcome = 'lost'");
  expect(await findings()).toEqual(
    expect.arrayContaining(["posting.explained", "contracts.prices", "contracts.counts"]),
  );
  await queryAsOwner("delete from contract_order where outcome = 'tie'");
  expect(await findings()).toContain("posting.explained");
});
