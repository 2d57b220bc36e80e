import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { WalletRecord } from "#api/records.ts";
import { dayMs } from "#core/money/time.ts";
import { checkAct } from "#core/operator/auditReceipt.ts";
import { computeEventCommitment } from "#core/operator/commitment.ts";
import { createLedger } from "#server/ledger/ledger.ts";
import { createJournal, createMoveLegs } from "#server/ledger/testing.ts";
import type { Ledger } from "#server/ledger/types.ts";
import { createRecords, type Records } from "#server/records/records.ts";
import {
  createPersonWithAttempt,
  getOpenAttempt,
  type PersonAttempt,
} from "#server/records/testing.ts";
import type { Explain, JournalRecords } from "#server/records/types.ts";
import { createTestContext, type TestContext, testStartMs } from "#server/testing/testContext.ts";
import { type AppendedAudit, appendAudit } from "#server/transparency-log/auditChain.ts";
import { createTransparencyLog } from "#server/transparency-log/transparencyLog.ts";

const latest = { secondMs: 1_000, index: { "BTC/USDT": 20_000_00n } };
let ctx: TestContext;
let ledger: Ledger;
let records: Records;
let transparencyLog: ReturnType<typeof createTransparencyLog>;
const contributions: JournalRecords[] = [];
beforeAll(async () => {
  ctx = await createTestContext();
  ledger = createLedger(ctx);
  transparencyLog = createTransparencyLog(ctx);
  records = createRecords(ctx, {
    transparencyLog,
    market: { latest: () => latest },
    contributions: { records: contributions },
  });
});
afterAll(async () => {
  await ledger.stop();
  await ctx.destroy();
});

const first = { page: 1, page_size: 10 };
const step = () => ctx.clock.advanceTo(ctx.clock.nowMs() + 1_000);

async function getAccounts(person: PersonAttempt) {
  const house = (coin: "pUSDT" | "pBTC") => ledger.account("house", "exchange", coin);
  const [wallet, heldAccount, btc, outUsdt, outBtc, contracts] = await Promise.all([
    ledger.account(person, "wallet", "pUSDT"),
    ledger.account(person, "held", "pUSDT"),
    ledger.account(person, "wallet", "pBTC"),
    house("pUSDT"),
    house("pBTC"),
    ledger.account("house", "contracts", "pUSDT"),
  ]);
  return { wallet, held: heldAccount, btc, outUsdt, outBtc, contracts };
}

/**
 * `count` journals of alternating kinds; every fifth is an exchange with legs in two coins and a
 * separate fee.
 */
async function personWithRecords(count: number) {
  const person = await createPersonWithAttempt(ctx, ledger);
  const accounts = await getAccounts(person);
  for (let n = 1; n <= count; n += 1) {
    step();
    const exchange = n % 5 === 0;
    const legs = exchange
      ? [
          ...createMoveLegs(accounts.wallet, accounts.outUsdt, 10n),
          ...createMoveLegs(accounts.wallet, accounts.outUsdt, 1n),
          ...createMoveLegs(accounts.outBtc, accounts.btc, BigInt(n)),
        ]
      : createMoveLegs(accounts.wallet, accounts.contracts, BigInt(n));
    const kind = exchange ? "exchange.execute" : n % 2 === 0 ? "contract.open" : "send.move";
    await ledger.post(createJournal(legs, { kind, about: `order-${n}` }));
  }
  return { who: person, at: accounts };
}

const orders = (items: readonly WalletRecord[]) => items.map(({ order_id }) => order_id);
const orderNames = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, index) => `order-${from - index}`);

test("a journal is one record with all of its postings on the person's accounts", async () => {
  const { who } = await personWithRecords(5);
  const { items } = await records.page(who, first);
  expect(items[0]).toMatchObject({
    type: "exchange.execute",
    group: "exchange",
    coin: "pUSDT",
    amount: "-0.000011",
    order_id: "order-5",
    legs: [
      { account: "wallet", coin: "pUSDT", amount: "-0.00001" },
      { account: "wallet", coin: "pUSDT", amount: "-0.000001", balance_after: "9999.999979" },
      { account: "wallet", coin: "pBTC", amount: "0.00000005", balance_after: "0.00000005" },
    ],
  });
  expect(items.map(({ type }) => type)).toEqual([
    "exchange.execute",
    "contract.open",
    "send.move",
    "contract.open",
    "send.move",
    "attempt.start",
  ]);
});

test("moving held money is a record, and placing a hold lists both accounts", async () => {
  const person = await createPersonWithAttempt(ctx, ledger);
  const { wallet, held, contracts } = await getAccounts(person);
  const placement = createJournal(createMoveLegs(wallet, held, 30n), {
    kind: "withdraw.place",
    hold: { action: "place" },
  });
  await ledger.post(placement);
  step();
  await ledger.post(
    createJournal(createMoveLegs(held, contracts, 30n), {
      kind: "withdraw.leave",
      hold: { action: "post", of: placement.id },
    }),
  );
  const { items } = await records.page(person, first);
  expect(items.map(({ type, amount, legs }) => [type, amount, legs.length])).toEqual([
    ["withdraw.leave", "-0.00003", 1],
    ["withdraw.place", "-0.00003", 2],
    ["attempt.start", "10000", 1],
  ]);
});

test("pages are newest first without duplicates, and new postings do not shift them", async () => {
  const { who, at } = await personWithRecords(23);
  const recordPage = await records.page(who, { page: 1, page_size: 7 });
  await ledger.post(createJournal(createMoveLegs(at.wallet, at.contracts, 1n), { about: "late" }));
  const before = recordPage.before!;
  const pages = [recordPage];
  for (let page = 2; pages.at(-1)!.has_more; page += 1) {
    pages.push(await records.page(who, { page, page_size: 7, before }));
  }
  expect(pages.flatMap(({ items }) => orders(items))).toEqual([...orderNames(23, 1), null]);
  expect(pages.map(({ items }) => items.length)).toEqual([7, 7, 7, 3]);
  const freshPage = await records.page(who, { page: 1, page_size: 1 });
  expect(freshPage.items[0]!.order_id).toBe("late");
});

test("the next page's cursor continues where the page ended", async () => {
  const { who } = await personWithRecords(23);
  for (const filter of [{}, { coin: "pBTC" }, { groups: ["contract"] }] as const) {
    const wholeList = await records.page(who, { ...filter, page: 1, page_size: 100 });
    const listedRecords: WalletRecord[] = [];
    let before: string | undefined;
    do {
      const page = await records.page(who, { ...filter, page: 1, page_size: 3, before });
      listedRecords.push(...page.items);
      before = page.next ?? undefined;
    } while (before !== undefined);
    expect(orders(listedRecords)).toEqual(orders(wholeList.items));
    expect(new Set(listedRecords.map(({ journal_id }) => journal_id)).size).toBe(
      listedRecords.length,
    );
  }
});

describe("filters", () => {
  let person: PersonAttempt;
  let startMs: number;
  beforeAll(async () => {
    startMs = ctx.clock.nowMs();
    ({ who: person } = await personWithRecords(20));
  });
  test("records can be filtered by coin", async () => {
    const { items } = await records.page(person, { ...first, coin: "pBTC" });
    expect(orders(items)).toEqual(["order-20", "order-15", "order-10", "order-5"]);
    expect(items[0]!.legs).toHaveLength(3);
  });
  test("records can be filtered by group", async () => {
    const { items } = await records.page(person, { ...first, groups: ["exchange"] });
    expect(items.map(({ group }) => group)).toEqual(Array(4).fill("exchange"));
    const start = await records.page(person, { ...first, groups: ["attempt"] });
    expect(start.items.map(({ type }) => type)).toEqual(["attempt.start"]);
  });
  test("records can be filtered by time, inclusively", async () => {
    const range = { fromMs: startMs + 3_000, toMs: startMs + 6_000 };
    const { items } = await records.page(person, { ...first, ...range });
    expect(orders(items)).toEqual(orderNames(6, 3));
  });
  test.each([
    ["order-1", 11],
    ["ORDER-20", 1],
    ["order_20", 0],
    ["%%%%", 0],
  ])("records can be searched for %s", async (search, count) => {
    const page = await records.page(person, { page: 1, page_size: 50, search });
    expect(page.items).toHaveLength(count);
  });
  test("records can be found by a journal's id or its prefix", async () => {
    const { items } = await records.page(person, first);
    const { journal_id: id } = items[4]!;
    for (const search of [id, id.slice(0, 13)]) {
      const recordPage = await records.page(person, { ...first, search });
      expect(recordPage.items.map(({ journal_id }) => journal_id)).toEqual([id]);
    }
  });
  test.each([
    [{ search: "abc" }, "records.search_too_short"],
    [{ fromMs: 1 }, "request.malformed"],
    [{ fromMs: 2, toMs: 1 }, "records.range_backwards"],
    [{ fromMs: 0, toMs: Date.UTC(1970, 6, 1) + 1 }, "records.range_too_long"],
    [{ page: 2_001 }, "records.page_too_deep"],
    [{ before: "1.2.3" }, "request.malformed"],
    [{ before: "1.2.3.4.5.6.7.8.;" }, "request.malformed"],
    [{ attemptId: randomUUID() }, "records.attempt_unknown"],
  ])("query %j is refused as %s", async (query, error) => {
    await expect(records.page(person, { ...first, ...query })).rejects.toMatchObject({ error });
  });
  test("a range of exactly six months is accepted", async () => {
    const range = { fromMs: 0, toMs: Date.UTC(1970, 6, 1) };
    expect((await records.page(person, { ...first, ...range })).items).toEqual([]);
  });
});

test("an old attempt stays readable to its owner only", async () => {
  const { who } = await personWithRecords(2);
  const now = { userId: who.userId, attemptId: randomUUID() };
  await getOpenAttempt(ctx, ledger, now, 2);
  const oldPage = await records.page(now, { ...first, attemptId: who.attemptId });
  expect(orders(oldPage.items)).toEqual(["order-2", "order-1", null]);
  expect((await records.page(now, first)).items).toHaveLength(1);
  const otherPerson = await createPersonWithAttempt(ctx, ledger);
  await expect(
    records.page(otherPerson, { ...first, attemptId: who.attemptId }),
  ).rejects.toMatchObject({
    error: "records.attempt_unknown",
  });
});

test("facts from a domain explain its journals and are searchable", async () => {
  const { who } = await personWithRecords(4);
  const explain: Explain = async ([newest]) =>
    new Map(
      newest
        ? [[newest, { facts: { to_address: "peth1found", paid: { amount: "5", coin: "pUSDT" } } }]]
        : [],
    );
  contributions.push({ prefix: "send", explain });
  const { items } = await records.page(who, { ...first, search: "PETH1fou" });
  expect(items.map(({ facts }) => facts)).toEqual([
    { to_address: "peth1found", paid: { amount: "0.000005", coin: "pUSDT" } },
  ]);
});

describe("an operator's audit event", () => {
  const act = { role: "support", what: "Opened the wallet page", why: "Asked in chat 12" };
  const recordAuditEvent = (userId: string) =>
    ctx.database.db.transaction().execute(async (tx) => {
      const salt = randomBytes(32).toString("hex");
      const committedEvent = {
        what: "people.viewed_wallet",
        operator: "o".repeat(20),
        role: "support",
      };
      const openedContent = {
        ...committedEvent,
        target: null,
        touches: userId,
        why: act.why,
        details: null,
      };
      const commitment = computeEventCommitment(
        ctx.world.name,
        Buffer.from(salt, "hex"),
        openedContent,
      );
      const record = { type: "act", act: null, commitment } as const;
      const atMs = ctx.realClock.nowMs();
      const [{ leaf, before }] = (await appendAudit(tx, ctx.world.name, [record], atMs)) as [
        AppendedAudit,
      ];
      const opening = { leaf, beforeLeaf: before, atMs, salt, act: openedContent };
      return records.recordAuditEvent({ ...act, userId, opening }, tx);
    });
  test("an audit event is listed among the records with role, action and reason", async () => {
    const { who, at } = await personWithRecords(2);
    step();
    await recordAuditEvent(who.userId);
    step();
    await ledger.post(createJournal(createMoveLegs(at.wallet, at.contracts, 1n)));
    const { items } = await records.page(who, first);
    expect(items.map(({ group }) => group)).toEqual([
      "other",
      "console",
      "contract",
      "transfer",
      "attempt",
    ]);
    expect(items[1]).toMatchObject({ type: "console.act", act, coin: null, legs: [] });
    const only = await records.page(who, { ...first, groups: ["console"] });
    expect(only.items.map((record) => record.act)).toEqual([act]);
    expect((await records.page(who, { ...first, coin: "pUSDT" })).items).toHaveLength(4);
  });
  test("the application's role cannot change or remove an audit event", async () => {
    for (const text of [
      "delete from person_audit_event",
      "update person_audit_event set why_encrypted = ''",
    ]) {
      await expect(ctx.database.pool.query(text)).rejects.toThrow("permission denied");
    }
  });
  test("an audit event requires an existing person", async () => {
    await expect(recordAuditEvent(randomUUID())).rejects.toThrow();
  });
  test("an audit event has a receipt with the opening, for its person only", async () => {
    const { who } = await personWithRecords(1);
    const eventId = await recordAuditEvent(who.userId);
    await expect(records.actReceipt(who.userId, eventId)).rejects.toThrow(/log.receipt_not_ready/);
    await transparencyLog.integrate();
    const receipt = (await records.actReceipt(who.userId, eventId))!;
    const { leaf, before_leaf: before } = receipt;
    const storedLeaves = await transparencyLog.leaves(leaf, leaf + 1);
    const earlierLeaves = before === null ? [] : await transparencyLog.leaves(before, before + 1);
    const leaves = new Map(
      [...storedLeaves, ...earlierLeaves].map((storedLeaf) => [storedLeaf.leaf, storedLeaf.bytes]),
    );
    const { name: world, market } = ctx.world;
    const identity = {
      createdAtMs: 0,
      simulator: 1,
      seedAnchor: null,
      beacon: null,
      recording: null,
    };
    const contributions = { world, market, ...identity, venues: [], symbols: [] };
    const steps = checkAct(JSON.parse(JSON.stringify(receipt)), contributions, leaves);
    expect(steps.map(({ difference }) => difference)).toEqual([null, null, null]);
    const { who: otherPerson } = await personWithRecords(1);
    expect(await records.actReceipt(otherPerson.userId, eventId)).toBe(null);
    await ctx.fieldEncryption.destroyKey(who.userId);
    expect(await records.actReceipt(who.userId, eventId)).toBe(null);
  });
});

describe("account lines", () => {
  test("account lines state balance, result and return from the ledger", async () => {
    const person = await createPersonWithAttempt(ctx, ledger);
    const { wallet, contracts, btc, outUsdt, outBtc } = await getAccounts(person);
    const open = { kind: "contract.open" };
    await ledger.post(createJournal(createMoveLegs(wallet, contracts, 101_000_000n), open));
    const before = await records.lines(person.attemptId);
    const line = (type: string, { items } = before) => items.find((line) => line.type === type);
    expect(line("contract")).toMatchObject({ balance: "0", total: "-101", return_bp: null });
    await ledger.post(
      createJournal(createMoveLegs(contracts, wallet, 190_000_000n), { kind: "contract.settle" }),
    );
    await ledger.post(
      createJournal(
        [
          ...createMoveLegs(wallet, outUsdt, 1_000_000_000n),
          ...createMoveLegs(outBtc, btc, 4_990_000n),
        ],
        {
          kind: "exchange.execute",
        },
      ),
    );
    const after = await records.lines(person.attemptId);
    expect(line("contract", after)).toMatchObject({ today: "89", total: "89", return_bp: null });
    expect(line("exchange", after)).toMatchObject({ total: "-2", return_bp: -20 });
    expect(line("transfer", after)).toMatchObject({ total: "10000", return_bp: null });
    expect(line("mining", after)).toMatchObject({ balance: "0", total: "0", return_bp: null });
  });
  test("a line's result of today excludes earlier results", async () => {
    const person = await createPersonWithAttempt(ctx, ledger);
    const { wallet, contracts } = await getAccounts(person);
    await ledger.post(
      createJournal(createMoveLegs(wallet, contracts, 5n), { kind: "contract.open" }),
    );
    const days = Math.floor((ctx.clock.nowMs() - testStartMs) / dayMs) + 1;
    ctx.clock.advanceTo(testStartMs + days * dayMs + 1_000);
    await ledger.post(
      createJournal(createMoveLegs(contracts, wallet, 9n), { kind: "contract.settle" }),
    );
    const { items } = await records.lines(person.attemptId);
    expect(items.find(({ type }) => type === "contract")).toMatchObject({
      today: "0.000009",
      total: "0.000004",
    });
  });
});
