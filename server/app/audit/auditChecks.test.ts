import { createHash, randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { deriveAddress } from "#core/addresses/address.ts";
import { intervalNames } from "#core/market/intervals.ts";
import { buildKlines } from "#core/market/kline.ts";
import { utf8ToBytes } from "#core/transparency-log/bytes.ts";
import { worldTag } from "#core/transparency-log/leaf.ts";
import { bindOrders, encodeSecond } from "#core/transparency-log/secondLeaf.ts";
import { encodeTerms } from "#core/transparency-log/termsLeaf.ts";
import { createAudit } from "#server/ledger/audit/audit.ts";
import { createLedger } from "#server/ledger/ledger.ts";
import { createJournal, createMoveLegs, createPersonWith } from "#server/ledger/testing.ts";
import type { Ledger } from "#server/ledger/types.ts";
import { createTestContext, type TestContext } from "#server/testing/testContext.ts";
import { createTransparencyLog } from "#server/transparency-log/transparencyLog.ts";
import { createAuditChecks } from "./auditChecks.ts";

const startMs = 1_767_571_200_000;
let ctx: TestContext;
let ledger: Ledger;

beforeAll(async () => {
  ctx = await createTestContext();
  ledger = createLedger(ctx);
  await makeMarket();
  await makeTerms();
  await makeSend();
});
afterAll(async () => {
  await ledger.stop();
  await ctx.destroy();
});

const queryAsOwner = (query: string, values: unknown[] = []) => ctx.owner.pool.query(query, values);

/** Three minutes of seconds with leaves and rows, and their klines; a gap has two causes. */
async function makeMarket(): Promise<void> {
  const log = createTransparencyLog(ctx);
  const { symbols, name } = ctx.world;
  await queryAsOwner("insert into market_state values (true, $1, $2)", [
    startMs,
    startMs + 180_000,
  ]);
  const seconds = Array.from({ length: 180 }, (_, second) => second).filter(
    (index) => index < 100 || index > 102,
  );
  for (const second of seconds) {
    const secondMs = startMs + second * 1_000;
    const index = symbols.map((_, index) => (index === 0 ? 1_000n + BigInt(second % 7) : null));
    const quotes = [symbols.map(() => null)];
    const bytes = encodeSecond({ secondMs, quotes, index, ...bindOrders([]) }, worldTag(name));
    const leaf = await ctx.database.db
      .transaction()
      .execute((tx) => log.append(tx, [{ kind: "second", bytes }]));
    const volume = symbols.map((_, index) => (index === 0 ? 5 : 0));
    await queryAsOwner("insert into market_second values ($1, $2, $3, $4)", [
      secondMs,
      leaf,
      index,
      volume,
    ]);
  }
  for (const [from, to, cause] of [
    [100, 102, "downtime"],
    [102, 103, "overload"],
  ] as const)
    await queryAsOwner("insert into market_gap values ($1, $2, $3)", [
      startMs + from * 1_000,
      startMs + to * 1_000,
      cause,
    ]);
  const ticks = seconds.map((index) => ({
    secondMs: startMs + index * 1_000,
    value: 1_000n + BigInt(index % 7),
    volume: 5n,
  }));
  for (const interval of intervalNames)
    for (const { openMs, open, high, low, close, volume } of buildKlines(interval, ticks))
      await queryAsOwner("insert into kline values ($1, $2, $3, $4, $5, $6, $7, $8)", [
        symbols[0],
        interval,
        openMs,
        ...[open, high, low, close, volume],
      ]);
}

async function makeTerms(): Promise<void> {
  const { name } = ctx.world;
  const symbol = ctx.world.symbols[0];
  const body = JSON.stringify({
    ...{ backing: "none", practice: true, symbol, version: 1, world: name },
  });
  const bytes = encodeTerms(utf8ToBytes(body), name);
  const leaf = await ctx.database.db
    .transaction()
    .execute((tx) => createTransparencyLog(ctx).append(tx, [{ kind: "terms", bytes }]));
  const hash = createHash("sha256").update(body).digest();
  await queryAsOwner("insert into contract (id, symbol, ordinal) values ('x', $1, 1)", [
    ctx.world.symbols[0],
  ]);
  await queryAsOwner("insert into contract_terms values ('x', 1, $1, $2, $3, 0)", [
    hash,
    body,
    leaf,
  ]);
}

async function makeSend(): Promise<void> {
  const [from, to] = [await createPersonWith(ledger, 1_000n), await createPersonWith(ledger, 0n)];
  const id = randomUUID();
  await ledger.post(
    createJournal(createMoveLegs(from.wallet, to.wallet, 7n), { id, kind: "send.move" }),
  );
  const { rows } = await queryAsOwner("select at_ms from journal where id = $1", [id]);
  await queryAsOwner(
    "insert into coin_send values ($1, $2, $3, $4, $5, 'pUSDT', 7, 'peth', $6, $7, $8)",
    [
      id,
      from.userId,
      from.attemptId,
      to.userId,
      to.attemptId,
      deriveAddress(ctx.world.name, from.userId, "peth"),
      deriveAddress(ctx.world.name, to.userId, "peth"),
      rows[0].at_ms,
    ],
  );
}

async function findings(): Promise<string[]> {
  // The people of this test have postings of a kind of the ledger's tests, and never signed up.
  const { attempts: _attempts, kinds: _kinds, ...checks } = createAuditChecks(ctx.world.name);
  const contributions = { auditChecks: [checks] };
  const { findings } = await createAudit(ctx, { contributions }).run({ complete: true });
  return [...new Set(findings.map(({ check }) => check))];
}

test("rows that agree with ledger and log yield no findings", async () => {
  expect(await findings()).toEqual([]);
});

test.each<[string, string, string, string]>([
  [
    "a second's price",
    "update market_second set index[1] = index[1] + 1 where second_ms % 60000 = 30000",
    "update market_second set index[1] = index[1] - 1 where second_ms % 60000 = 30000",
    "market.second",
  ],
  [
    "a kline",
    "update kline set high = high + 1",
    "update kline set high = high - 1",
    "market.kline",
  ],
  [
    "the length of a gap",
    "update market_gap set from_ms = from_ms - 1000 where cause = 'downtime'",
    "update market_gap set from_ms = from_ms + 1000 where cause = 'downtime'",
    "market.gap",
  ],
  [
    "where the parts of a gap meet",
    "update market_gap set to_ms = to_ms - 1000 where cause = 'downtime'",
    "update market_gap set to_ms = to_ms + 1000 where cause = 'downtime'",
    "market.gap",
  ],
  [
    "a word of the terms",
    "update contract_terms set body = replace(body, '1', '2')",
    "update contract_terms set body = replace(body, '2', '1')",
    "contract_terms.leaf",
  ],
  [
    "the counters of a contract",
    "update contract set won = won + 1",
    "update contract set won = won - 1",
    "contracts.counts",
  ],
  [
    "the amount of a send",
    "update coin_send set amount = amount + 1",
    "update coin_send set amount = amount - 1",
    "send.send",
  ],
  [
    "where a send went",
    "update coin_send set to_address = to_address || 'x'",
    "update coin_send set to_address = left(to_address, -1)",
    "send.address",
  ],
  [
    "the switch of the contracts",
    "update contract_settings set contracts_on = false",
    "update contract_settings set contracts_on = true",
    "operator.switch",
  ],
])("the audit finds a manual change of %s", async (_what, change, back, check) => {
  await queryAsOwner(change);
  expect(await findings()).toContain(check);
  await queryAsOwner(back);
  expect(await findings()).toEqual([]);
});

test("the audit finds a balanced journal written outside the ledger", async () => {
  const { rows } =
    await queryAsOwner(`select a.id, a.balance, a.version, h.id as house from account a, account h
    where not a.house and h.house and h.coin = a.coin order by a.id limit 1`);
  const { id, balance, version, house } = rows[0];
  const journal = randomUUID();
  await queryAsOwner(
    "insert into journal (id, kind, body_hash, at_ms) values ($1, 'send.move', $2, $3)",
    [journal, Buffer.alloc(32), startMs],
  );
  await queryAsOwner(
    `insert into entry (journal_id, leg, account, amount, balance, version)
     values ($1, 0, $2, 5, $3::bigint + 5, $4::bigint + 1), ($1, 1, $5, -5, null, null)`,
    [journal, id, balance, version, house],
  );
  await queryAsOwner(
    "update account set balance = balance + 5, version = version + 1 where id = $1",
    [id],
  );
  expect(await findings()).toContain("posting.explained");
});

test("the audit finds an unknown kind of journal and an account without an owner", async () => {
  const { kinds } = createAuditChecks(ctx.world.name);
  const contributions = { auditChecks: [{ kinds: kinds! }] };
  const listFindings = async () =>
    (await createAudit(ctx, { contributions }).run({ complete: true })).findings.map(
      ({ check }) => check,
    );
  expect(await listFindings()).toContain("posting.kind");
  for (const change of ["version = version + 1", "coin = 'pUSD3'", "owner = 'hous3'"]) {
    expect(await listFindings()).not.toContain("account.form");
    const { rows } = await queryAsOwner(
      "select id, version, coin, owner from account where house limit 1",
    );
    const { id, version, coin, owner } = rows[0];
    await queryAsOwner(`update account set ${change} where id = $1`, [id]);
    expect(await listFindings()).toContain("account.form");
    await queryAsOwner("update account set version = $2, coin = $3, owner = $4 where id = $1", [
      ...[id, version, coin, owner],
    ]);
  }
});
