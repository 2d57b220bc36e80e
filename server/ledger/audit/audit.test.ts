import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type AuditCheck, createAudit } from "#server/ledger/audit/audit.ts";
import { chainPosted } from "#server/ledger/jobs.ts";
import { createLedger } from "#server/ledger/ledger.ts";
import {
  createJournal,
  createMoveLegs,
  createPersonWith,
  type Person,
} from "#server/ledger/testing.ts";
import type { Ledger } from "#server/ledger/types.ts";
import { createTestContext, type TestContext } from "#server/testing/testContext.ts";

let ctx: TestContext;
let ledger: Ledger;
let person: Person;
let house: bigint;
beforeAll(async () => {
  ctx = await createTestContext();
  ledger = createLedger(ctx);
  house = await ledger.account("house", "contracts", "pUSDT");
  person = await createPersonWith(ledger, 1_000_000n);
});
afterAll(async () => {
  await ledger.stop();
  await ctx.destroy();
});

const getAudit = () => createAudit(ctx);
const findings = async () => (await getAudit().run()).findings.map(({ check }) => check);
const postSome = (count: number) =>
  Promise.all(
    Array.from({ length: count }, (_, index) =>
      ledger.post(createJournal(createMoveLegs(person.wallet, house, BigInt(index + 1)))),
    ),
  );
const houseBalance = async () =>
  (await ctx.database.pool.query("select balance from account_balance where id = $1", [house]))
    .rows[0].balance;

test("the audit accepts an empty, a partial and a complete chain", async () => {
  expect(await findings()).toEqual([]);
  await postSome(20);
  expect(await findings()).toEqual([]);
  expect(await chainPosted(ctx)).toBeGreaterThan(40);
  await postSome(5);
  expect(await findings()).toEqual([]);
  expect(await chainPosted(ctx)).toBe(10);
  expect(await chainPosted(ctx)).toBe(0);
  expect(await findings()).toEqual([]);
});

test("an audit resumes where the previous one of its process ended", async () => {
  const audit = getAudit();
  expect((await audit.run()).complete).toBe(true);
  await postSome(3);
  await chainPosted(ctx);
  expect(await audit.run()).toMatchObject({
    complete: false,
    entries: 6,
    batches: 1,
    findings: [],
  });
  expect(await audit.run({ complete: true })).toMatchObject({ complete: true });
  expect(await audit.latest()).toMatchObject({ findings: [] });
});

test("a house balance is correct before, during and after the roll-up", async () => {
  const before = await houseBalance();
  await postSome(4);
  expect(await houseBalance()).toBe(before + 10n);
  await chainPosted(ctx);
  expect(await houseBalance()).toBe(before + 10n);
});

test("a journal that commits after a later one was chained is included", async () => {
  const before = await houseBalance();
  const earlyClient = await ctx.owner.pool.connect();
  const otherPerson = await createPersonWith(ledger, 100n);
  try {
    await earlyClient.query("begin");
    await earlyClient.query(
      `select * from post_journals(1::bigint, array[gen_random_uuid()], array[decode(repeat('00', 32), 'hex')],
        array['test.late'], array[null], array[1, 1], array[$1::bigint, $2::bigint], array[-7, 7])`,
      [otherPerson.wallet, house],
    );
    await postSome(1);
    await chainPosted(ctx);
    expect(await houseBalance()).toBe(before + 1n);
    await earlyClient.query("commit");
  } finally {
    earlyClient.release();
  }
  expect(await houseBalance()).toBe(before + 8n);
  expect(await chainPosted(ctx)).toBe(2);
  expect(await houseBalance()).toBe(before + 8n);
  expect(await findings()).toEqual([]);
});

test("a backlog is chained in several batches", async () => {
  for (let index = 0; index < 12; index += 1)
    await ledger.post(createJournal(createMoveLegs(person.wallet, house, 1n)));
  const count = async () =>
    Number((await ctx.database.pool.query("select count(*) from chain_batch")).rows[0].count);
  // An older transaction of another test delays where a batch may end.
  const allOld = async () =>
    (
      await ctx.database.pool.query(
        "select max(xid) < pg_snapshot_xmin(pg_current_snapshot()) as old from journal",
      )
    ).rows[0].old;
  await expect.poll(allOld, { timeout: 20_000 }).toBe(true);
  const before = await count();
  for (;;) {
    const { rows } = await ctx.database.pool.query("select chain_entries(3) as n");
    if (rows[0].n === 0n) break;
  }
  expect((await count()) - before).toBeGreaterThanOrEqual(3);
  expect(await findings()).toEqual([]);
});

test("an open transaction during chaining does not block later batches", async () => {
  const chainAll = async () => {
    let entries = 0n;
    for (;;) {
      const { rows } = await ctx.database.pool.query("select chain_entries(3) as n");
      if (rows[0].n === 0n) return entries;
      entries += rows[0].n;
    }
  };
  const post = async (count: number) => {
    for (let index = 0; index < count; index += 1)
      await ledger.post(createJournal(createMoveLegs(person.wallet, house, 1n)));
  };
  const open = await ctx.database.pool.connect();
  try {
    await open.query("begin");
    await open.query("select pg_current_xact_id()");
    await post(8);
    await chainAll();
    await open.query("rollback");
  } finally {
    open.release();
  }
  await post(12);
  expect(await chainAll()).toBe(24n);
  expect(await findings()).toEqual([]);
});

test("the audit includes checks of domains", async () => {
  const check: AuditCheck = async (_tx, report) => report("contracts.exposure", "too low");
  const audit = createAudit(ctx, { contributions: { auditChecks: [{ exposure: check }] } });
  expect((await audit.run()).findings).toEqual([
    { check: "contracts.exposure", detail: "too low" },
  ]);
});

test.each<[string, string, string]>([
  [
    "a removed leg of a journal",
    "delete from entry where version is null and journal_id = (select journal_id from entry where account = $1 and version = 2)",
    "journal.sum",
  ],
  [
    "a changed amount",
    "update entry set amount = amount + 1 where account = $1 and version = 3",
    "chain.head",
  ],
  [
    "a changed account head",
    "update chain_head set hash = sha256(hash) where account = $1",
    "chain.account",
  ],
  ["a changed balance", "update account set balance = balance + 1 where id = $1", "trial_balance"],
  [
    "a changed version",
    "update account set version = version + 1 where id = $1",
    "account.balance",
  ],
  ["a removed entry", "delete from entry where account = $1 and version = 2", "entry.running"],
  [
    "a changed kind",
    "update journal set kind = 'x' where id = (select journal_id from entry where account = $1 and version = 2)",
    "chain.head",
  ],
  [
    "held money without a hold",
    "insert into account (owner, attempt_id, kind, coin, house, owner_commitment, balance) select 'x', 'x', 'held', 'pUSDT', false, '', 5 where $1 > 0",
    "hold.pending",
  ],
])("the audit finds a change by the database owner: %s", async (_title, change, check) => {
  await chainPosted(ctx);
  await ctx.owner.pool.query(change, [person.wallet]);
  expect(await findings()).toContain(check);
  await restore();
});

/** Provides a fresh schema for the next case: tampering by the owner cannot be undone. */
async function restore(): Promise<void> {
  await ledger.stop();
  await ctx.destroy();
  ctx = await createTestContext();
  ledger = createLedger(ctx);
  house = await ledger.account("house", "contracts", "pUSDT");
  person = await createPersonWith(ledger, 1_000_000n);
  await postSome(5);
}

test("chain, sums and audit hold beyond a 64-bit house balance", async () => {
  const issuance = await ledger.account("house", "issuance", "pETH");
  const largestAmount = 100_000_000_000_000_000n;
  for (let n = 0; n < 3; n += 1) {
    const { attemptId, userId } = await createPersonWith(ledger, 1n);
    const wallet = await ledger.account({ userId, attemptId }, "wallet", "pETH");
    await Promise.all(
      Array.from({ length: 40 }, () =>
        ledger.post(createJournal(createMoveLegs(issuance, wallet, largestAmount))),
      ),
    );
  }
  const total = -120n * largestAmount;
  expect(total).toBeLessThan(-(2n ** 63n));
  const balance = async () =>
    (await ctx.database.pool.query("select balance from account_balance where id = $1", [issuance]))
      .rows[0].balance;
  expect(await balance()).toBe(total);
  await chainPosted(ctx);
  expect(await balance()).toBe(total);
  const { rows } = await ctx.database.pool.query(
    "select users, house, total from trial_balance where coin = 'pETH'",
  );
  expect(rows).toEqual([{ users: -total, house: total, total: 0n }]);
});

test("a value that PostgreSQL cannot read is a finding, and the checks after it still run", async () => {
  const unreadable: AuditCheck = async (tx) => {
    await sql`select 'x'::integer`.execute(tx);
  };
  const passingCheck: AuditCheck = async (tx, report) => {
    const { rows } = await sql<{ one: number }>`select 1 as one`.execute(tx);
    report("after", String(rows[0]!.one));
  };
  const contributions = { auditChecks: [{ unreadable, ran: passingCheck }] };
  const { findings } = await createAudit(ctx, { contributions }).run({ complete: true });
  expect(findings.slice(-2)).toEqual([
    { check: "unreadable", detail: expect.stringContaining("a value cannot be read") },
    { check: "after", detail: "1" },
  ]);
});

test("an audit fails on a statement that is wrong, which is not a finding", async () => {
  const failingCheck: AuditCheck = async (tx) => {
    await sql`select no_such_column from journal`.execute(tx);
  };
  const contributions = { auditChecks: [{ wrong: failingCheck }] };
  await expect(createAudit(ctx, { contributions }).run({ complete: true })).rejects.toThrow();
});
