import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createLedger } from "#server/ledger/ledger.ts";
import { createJournal, createMoveLegs, createPersonWith } from "#server/ledger/testing.ts";
import { createTestContext, type TestContext } from "#server/testing/testContext.ts";

let ctx: TestContext;
let wallet: bigint;
let house: bigint;
beforeAll(async () => {
  ctx = await createTestContext();
  const ledger = createLedger(ctx);
  const person = await createPersonWith(ledger, 100n);
  wallet = person.wallet;
  house = await ledger.account("house", "contracts", "pUSDT");
  await ledger.post(
    createJournal(createMoveLegs(person.wallet, person.held, 10n), {
      hold: { action: "place" },
      limits: [{ key: "k", delta: 1n, cap: 9n }],
    }),
  );
  await ledger.stop();
  await ctx.database.pool.query("select chain_entries()");
});
afterAll(() => ctx.destroy());

const history = [
  "account",
  "journal",
  "entry",
  "hold",
  "ledger_limit",
  "used_key",
  "chain_batch",
  "chain_head",
];
const deniedError = { code: "42501" };

describe.each(history)("the application's role and %s", (table) => {
  test("the role can read the table", async () => {
    await ctx.database.pool.query(`select * from ${table}`);
  });
  test.each([
    ["insert", `insert into ${table} default values`],
    ["update", null],
    ["delete", `delete from ${table}`],
    ["truncate", `truncate ${table}`],
    ["lock", `do $$ begin lock table ${table} in access exclusive mode; end $$`],
    ["drop", `drop table ${table}`],
    ["alter", `alter table ${table} disable trigger all`],
  ])("the role cannot %s the table", async (_verb, statement) => {
    const { rows } = await ctx.database.pool.query(
      "select column_name from information_schema.columns where table_schema = $1 and table_name = $2",
      [ctx.database.schema, table],
    );
    if (statement) {
      await expect(ctx.database.pool.query(statement)).rejects.toMatchObject(deniedError);
      return;
    }
    expect(rows.length).toBeGreaterThan(1);
    for (const { column_name: column } of rows) {
      await expect(
        ctx.database.pool.query(`update ${table} set ${column} = ${column}`),
      ).rejects.toMatchObject({ code: expect.stringMatching(/42501|428C9/) });
    }
  });
});

test("audit results can be added but not changed or removed", async () => {
  const { pool } = ctx.database;
  await pool.query(
    "insert into ledger_audit (complete, entries, batches, took_ms, findings) values (true, 0, 0, 0, '[]')",
  );
  for (const statement of [
    "update ledger_audit set findings = '[]'",
    "delete from ledger_audit",
    "truncate ledger_audit",
  ])
    await expect(pool.query(statement)).rejects.toMatchObject(deniedError);
});

test("only functions that check their input can be called", async () => {
  const source = readFileSync(join(import.meta.dirname, "../migrations/100-ledger.sql"), "utf8");
  const names = [...source.matchAll(/^create function (\w+)/gm)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(10);
  const { rows } = await ctx.database.pool.query(
    `select proname from pg_proc where pronamespace = $1::regnamespace
      and has_function_privilege(oid, 'execute') and proname = any($2) order by proname`,
    [ctx.database.schema, names],
  );
  expect(rows.map(({ proname }) => proname)).toEqual([
    "chain_entries",
    "open_account",
    "post_journals",
    "purge_limits",
    "record_refusal",
  ]);
});

test("every security definer function searches temporary tables last", async () => {
  const { rows } = await ctx.owner.pool.query(
    `select proname, (select c from unnest(proconfig) c where c like 'search_path=%') as path
      from pg_proc where pronamespace = $1::regnamespace and prosecdef`,
    [ctx.database.schema],
  );
  expect(rows.length).toBeGreaterThanOrEqual(4);
  for (const { proname, path } of rows) {
    expect([proname, path]).toEqual([proname, expect.stringMatching(/, pg_temp$/)]);
  }
});

test("every trigger that reads tables searches temporary tables last", async () => {
  const { rows } = await ctx.owner.pool.query(
    `select proname from pg_proc
      where pronamespace = $1::regnamespace and prorettype = 'trigger'::regtype and prosrc ~ '\\mfrom\\M'
        and not exists (select from unnest(proconfig) c where c ~ '^search_path=.*, pg_temp$')`,
    [ctx.database.schema],
  );
  expect(rows).toEqual([]);
});

test("the application's role cannot create temporary tables", async () => {
  await expect(
    ctx.database.pool.query("create temporary table account as select 1"),
  ).rejects.toMatchObject({ code: "42501" });
});

test("a caller's temporary table does not shadow a ledger table", async () => {
  // As the owner, who still may make one; elsewhere than in the embedded database others may too.
  const client = await ctx.owner.pool.connect();
  try {
    await client.query("begin");
    await client.query("create temporary table account as select * from account");
    await client.query("update account set balance = 1000000");
    const { rows } = await client.query(
      `select outcomes from post_journals(1::bigint, array[gen_random_uuid()], array[decode(repeat('00', 32), 'hex')],
        array['test.theft'], array[null], array[1, 1], array[$1::bigint, $2::bigint], array[-5000, 5000])`,
      [wallet, house],
    );
    expect(rows[0].outcomes).toEqual(["overdraft"]);
  } finally {
    await client.query("rollback");
    client.release();
  }
});

test("arrays that do not match raise an error and change nothing", async () => {
  const call = (ids: string, legs: string) =>
    ctx.database.pool.query(
      `select * from post_journals(1::bigint, ${ids}, array[decode(repeat('00', 32), 'hex')], array['x'], array[null],
        ${legs}, array[1::bigint, 2::bigint], array[1, -1])`,
    );
  await expect(call("array[gen_random_uuid()]", "array[1]")).rejects.toMatchObject({
    code: "22023",
  });
  await expect(call("array[gen_random_uuid()]", "array[1, 2]")).rejects.toMatchObject({
    code: "22023",
  });
  await expect(call("array[null::uuid]", "array[1, 1]")).rejects.toMatchObject({ code: "22023" });
});
