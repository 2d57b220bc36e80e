import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compareClosings } from "#server/attempts/closingCheck.ts";
import { createLedger } from "#server/ledger/ledger.ts";
import {
  createJournal,
  createMoveLegs,
  createPersonWith,
  type Person,
} from "#server/ledger/testing.ts";
import type { Ledger } from "#server/ledger/types.ts";
import { createTestContext, type TestContext } from "#server/testing/testContext.ts";

const pricedAtMs = 1_767_571_260_000;
let ctx: TestContext;
let ledger: Ledger;
let person: Person;

/** Someone with 900 left of 1 000 at the closing, who got 50 a while later. */
beforeAll(async () => {
  ctx = await createTestContext();
  ledger = createLedger(ctx);
  const house = await ledger.account("house", "contracts", "pUSDT");
  person = await createPersonWith(ledger, 1_000n);
  ctx.clock.advanceTo(ctx.clock.nowMs() + 600_000);
  await ledger.post(createJournal(createMoveLegs(person.wallet, house, 100n)));
  const closedAtMs = ctx.clock.nowMs();
  ctx.clock.advanceTo(closedAtMs + 600_000);
  await ledger.post(createJournal(createMoveLegs(house, person.wallet, 50n)));
  const index = ctx.world.symbols.map((_, index) => (index < 2 ? 1_000 + index : null));
  await queryAsOwner("insert into market_second values ($1, 1, $2, $2)", [pricedAtMs, index]);
  await queryAsOwner("insert into user_account (user_id, created_at_ms) values ($1, 1)", [
    person.userId,
  ]);
  for (const [index, id] of [person.attemptId, "the-next-attempt-id"].entries())
    await queryAsOwner("insert into user_attempt values ($1, $2, $3, 1, 1)", [
      id,
      person.userId,
      index + 1,
    ]);
  await queryAsOwner(
    `insert into attempt_closing (attempt_id, closed_at_ms, closed_at_world_ms, balances,
       priced_at_ms, index, next_attempt_id)
     values ($1, 1, $2, '{"pUSDT": "900"}', $3, $4, 'the-next-attempt-id')`,
    [
      person.attemptId,
      closedAtMs,
      pricedAtMs,
      JSON.stringify({ [ctx.world.symbols[0]!]: "1000", [ctx.world.symbols[1]!]: "1001" }),
    ],
  );
});
afterAll(async () => {
  await ledger.stop();
  await ctx.destroy();
});

const queryAsOwner = (query: string, values: unknown[] = []) => ctx.owner.pool.query(query, values);

async function findings(): Promise<string[]> {
  return await ctx.database.db.transaction().execute(async (tx) => {
    const findings: string[] = [];
    await compareClosings(tx, (_check, detail) => findings.push(detail));
    return findings;
  });
}

test("a closing states the attempt's balances and the prices of its second", async () => {
  expect(await findings()).toEqual([]);
});

test.each([
  ["balances", `'{"pUSDT": "950"}'`],
  ["balances", `'{"pUSDT": "901"}'`],
  ["balances", "'{}'"],
  ["balances", `'{"pUSDT": "900", "pXYZ": "0"}'`],
  ["index", "'{}'"],
  ["index", `index || '{"BTC/USDT": "1"}'`],
  ["priced_at_ms", "priced_at_ms + 1000"],
  ["priced_at_ms", "null"],
])("the audit finds a changed %s (%s)", async (column, value) => {
  const { rows } = await sql<{ kept: string }>`
    select ${sql.ref(column)}::text as kept from attempt_closing`.execute(ctx.owner.db);
  await queryAsOwner(`update attempt_closing set ${column} = ${value}`);
  expect(await findings()).toHaveLength(1);
  const type = column === "priced_at_ms" ? "bigint" : "jsonb";
  await queryAsOwner(`update attempt_closing set ${column} = $1::${type}`, [rows[0]!.kept]);
  expect(await findings()).toEqual([]);
});
