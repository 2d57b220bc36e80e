import { afterAll, beforeAll, expect, test } from "vitest";
import { reconcileHosting } from "#server/hosting/audit/reconciliation.ts";
import { createAudit } from "#server/ledger/audit/audit.ts";
import { createTestHosting, crossPlan, type TestHosting } from "#server/testing/hosting.ts";

let t: TestHosting;

/** A pool that trades, with people who subscribed, redeemed or are waiting. */
beforeAll(async () => {
  t = await createTestHosting({ plans: [crossPlan] });
  t.source.script = (venue, secondMs) =>
    2_000_000n +
    BigInt((secondMs / 1_000) % 97) * 30n +
    (venue === 1 && secondMs % 60_000 === 30_000 ? 12_000n : 0n);
  const [first, second] = [await t.openPerson(), await t.openPerson()];
  // A transfer between venues takes minutes, and trading starts after it.
  for (const minute of [1, 2, 4, 24]) {
    await t.tickTo(t.at(minute * 60 - 20));
    if (minute === 1) await t.subscribe(first, "700");
    if (minute === 2) await t.subscribe(second, "300.5");
    if (minute === 4) await t.redeem(first, "20");
  }
  await t.tickTo(t.at(1_465));
  await t.redeem(first, "30");
  await t.subscribe(second, "50");
  await queryAsOwner("alter table hosting_order disable trigger user");
});
afterAll(() => t.destroy());

const queryAsOwner = (query: string) => t.ctx.owner.pool.query(query);

async function findings(): Promise<string[]> {
  const contributions = { auditChecks: [{ hosting: reconcileHosting }] };
  const { findings } = await createAudit(t.ctx, { contributions }).run({ complete: true });
  return [...new Set(findings.map(({ check }) => check))];
}

test("a pool that traded and paid out yields no findings", async () => {
  const { rows } = await queryAsOwner(`select (select count(*)::int from hosting_fill) as fills,
    (select count(*)::int from hosting_order where outcome = 'executed') as executed,
    (select count(*)::int from hosting_order where outcome is null) as open`);
  expect(rows[0]).toEqual({ fills: expect.any(Number), executed: 3, open: 2 });
  expect(rows[0].fills).toBeGreaterThan(0);
  expect(await findings()).toEqual([]);
});

test.each<[string, string, string]>([
  ["hosting_holding", "blocked", "hosting.holding"],
  ["hosting_holding", "waiting", "hosting.holding"],
  ["hosting_holding", "bought", "hosting.holding"],
  ["hosting_holding", "paid_in", "hosting.holding"],
  ["hosting_holding", "fees", "hosting.holding"],
  ["ledger_limit", "used", "hosting.limit"],
  ["hosting_order", "amount", "posting.explained"],
  ["hosting_order", "account", "hosting.order"],
  ["hosting_order", "accepted_at_ms", "hosting.hash"],
  ["hosting_order", "bound_leaf", "hosting.hash"],
  ["hosting_order", "fee", "hosting.flows"],
  ["hosting_pool", "holders", "hosting.pool"],
  ["hosting_pool", "units", "hosting.pool"],
  ["hosting_pool", "entry_nav", "hosting.pool"],
  ["hosting_mark", "nav", "hosting.mark"],
  ["hosting_mark", "kept", "hosting.mark"],
  ["hosting_mark", "drawdown", "hosting.mark"],
  ["hosting_state", "peak", "hosting.state"],
  ["hosting_day", "nav_close", "hosting.day"],
  ["hosting_trade", "gap", "hosting.trade"],
  ["hosting_fill", "quote", "hosting.fill"],
])("the audit finds a manual change of %s.%s", async (table, column, check) => {
  await queryAsOwner(`update ${table} set ${column} = ${column} + 1`);
  expect(await findings()).toContain(check);
  await queryAsOwner(`update ${table} set ${column} = ${column} - 1`);
  expect(await findings()).toEqual([]);
});

test("the audit finds a state that differs from the last mark's", async () => {
  const quietChange = `update hosting_state set state = jsonb_set(state::jsonb, '{free}',
    to_jsonb(((state::jsonb ->> 'free')::bigint $by 1)::text))::text where friction = 'realistic'`;
  await queryAsOwner(quietChange.replace("$by", "+"));
  expect(await findings()).toContain("hosting.state");
  await queryAsOwner(quietChange.replace("$by", "-"));
  expect(await findings()).toEqual([]);
});
