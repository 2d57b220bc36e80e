import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import * as api from "#api/exchange.ts";
import { quoteLifeMs } from "#core/exchange/exchange.ts";
import { reconcileExchanges } from "#server/exchange/reconciliation.ts";
import {
  catchOutcome,
  createTestTransfers,
  type TestTransfers,
} from "#server/testing/transfers.ts";

let t: TestTransfers;
beforeAll(async () => {
  t = await createTestTransfers();
});
afterAll(() => t.destroy());
afterEach(async () => {
  expect(await t.trial()).toEqual([]);
  t.ctx.realClock.advanceMs(60_000);
});

const thousand = { from: "pUSDT", to: "pBTC", amount: "1000" } as const;

test("1 000 pUSDT at 28 123.45 buy 0.03548646 pBTC and post the fee separately", async () => {
  const person = await t.person({ pUSDT: 1_500_000_000n });
  const quote = await t.exchange.quote(person, thousand);
  api.exchangeQuote.parse(quote);
  expect(quote).toMatchObject({
    received: "0.03548646",
    index_leaf: 7,
    firm_ms: 15_000,
    spread_bp: 10,
  });
  expect(quote.steps).toMatchObject([{ fee: "1", rate: "28151.58", index: "28123.45" }]);
  const exchangeRow = await t.execute(person, quote.quote_id);
  expect([await t.balance(person), await t.balance(person, "pBTC")]).toEqual([
    500_000_000n,
    3_548_646n,
  ]);
  expect(await t.house("fees")).toBe(1_000_000n);
  const { rows } = await t.ctx.owner.pool.query<{ amount: string }>(
    "select amount from entry join account a on a.id = entry.account where journal_id = $1 and not a.house order by leg",
    [exchangeRow.journal_id],
  );
  expect(rows.map(({ amount }) => BigInt(amount))).toEqual([
    -999_000_000n,
    -1_000_000n,
    3_548_646n,
  ]);
  expect(await t.exchange.find(person.userId, exchangeRow.journal_id)).toMatchObject({
    received: "0.03548646",
  });
  expect(await t.exchange.find(randomUUID(), exchangeRow.journal_id)).toBeNull();
});

test("a round trip loses what the two quotes showed", async () => {
  const person = await t.person({ pUSDT: 1_000_000_000n });
  const firstQuote = await t.exchange.quote(person, thousand);
  await t.execute(person, firstQuote.quote_id);
  const returnQuote = await t.exchange.quote(person, {
    from: "pBTC",
    to: "pUSDT",
    amount: firstQuote.received,
  });
  await t.execute(person, returnQuote.quote_id);
  const lost = 1_000_000_000n - (await t.balance(person));
  // 0.00007105 pBTC at 28 123.45 is 1.998171 pUSDT; one satoshi is 0.000281.
  expect(firstQuote.cost).toBe("0.00007105");
  expect(Number(lost) / 1e6).toBeCloseTo(
    Number(firstQuote.cost) * 28_123.45 + Number(returnQuote.cost),
    3,
  );
  expect(await t.balance(person, "pBTC")).toBe(0n);
});

test("pBTC to pETH posts both fees, and the person never holds the pUSDT in between", async () => {
  const feesBefore = await t.house("fees");
  const person = await t.person({ pBTC: 10_000_000n });
  const quote = await t.exchange.quote(person, { from: "pBTC", to: "pETH", amount: "0.1" });
  expect(quote.steps.map(({ symbol, from, to }) => [symbol, from, to])).toEqual([
    ["BTC/USDT", "pBTC", "pUSDT"],
    ["ETH/USDT", "pUSDT", "pETH"],
  ]);
  const { journal_id: id } = await t.execute(person, quote.quote_id);
  expect(await t.balance(person)).toBe(0n);
  expect((await t.house("fees")) - feesBefore).toBe(2_806_723n);
  const explanations = await t.exchange.explain([id, randomUUID()]);
  expect([...explanations.keys()]).toEqual([id]);
  expect(explanations.get(id)!.facts).toMatchObject({
    given: { amount: "10000000", coin: "pBTC" },
    fee: { amount: "10000", coin: "pBTC" },
    fee_2: { amount: "2806723", coin: "pUSDT" },
    rate: "2809532",
    symbol_2: "ETH/USDT",
  });
});

describe("a quote", () => {
  test("a quote executes once under concurrent keys", async () => {
    const person = await t.person({ pUSDT: 5_000_000_000n });
    const { quote_id: quoteId } = await t.exchange.quote(person, thousand);
    const outcomes = await Promise.all(
      [1, 2, 3, 4].map(() => catchOutcome(t.execute(person, quoteId))),
    );
    expect(outcomes.sort()).toEqual(["done", ...Array(3).fill("exchange.quote_used")]);
    expect(await t.balance(person)).toBe(4_000_000_000n);
  });

  test("a repeated key returns the same exchange", async () => {
    const person = await t.person({ pUSDT: 5_000_000_000n });
    const { quote_id: quoteId } = await t.exchange.quote(person, thousand);
    const id = randomUUID();
    const results = await Promise.all([
      t.execute(person, quoteId, id),
      t.execute(person, quoteId, id),
    ]);
    t.ctx.realClock.advanceMs(quoteLifeMs * 2);
    const laterResult = await t.execute(person, quoteId, id);
    expect(new Set([...results, laterResult].map(({ journal_id }) => journal_id))).toEqual(
      new Set([id]),
    );
    expect(await t.balance(person)).toBe(4_000_000_000n);
  });

  test.each([
    [0, "done"],
    [1, "exchange.quote_expired"],
  ])("a quote after 15 real seconds and %i ms: %s", async (overMs, expected) => {
    const person = await t.person({ pUSDT: 1_000_000_000n });
    const { quote_id: quoteId } = await t.exchange.quote(person, thousand);
    t.ctx.realClock.advanceMs(quoteLifeMs + overMs);
    expect(await catchOutcome(t.execute(person, quoteId))).toBe(expected);
    expect(await t.balance(person)).toBe(expected === "done" ? 0n : 1_000_000_000n);
  });

  test.each([
    [2_817_976n, "done"],
    [2_817_977n, "exchange.rate_moved"],
    [2_806_736n, "exchange.rate_moved"],
    [null, "exchange.no_price"],
  ])("a quote is firm within its cost: %s is %s", async (price, expected) => {
    const person = await t.person({ pUSDT: 1_000_000_000n });
    const { quote_id: quoteId } = await t.exchange.quote(person, thousand);
    const before = t.index["BTC/USDT"];
    t.index["BTC/USDT"] = price;
    const outcome = await catchOutcome(t.execute(person, quoteId));
    t.index["BTC/USDT"] = before!;
    expect(outcome).toBe(expected);
    // At the quoted terms, or not at all.
    expect([await t.balance(person), await t.balance(person, "pBTC")]).toEqual(
      expected === "done" ? [0n, 3_548_646n] : [1_000_000_000n, 0n],
    );
  });

  test("a quote executes only at a fresh index", async () => {
    const person = await t.person({ pUSDT: 1_000_000_000n });
    const { quote_id: quoteId } = await t.exchange.quote(person, thousand);
    t.setSecond(t.ctx.clock.nowMs() - 5_001);
    const outcome = await catchOutcome(t.execute(person, quoteId));
    t.setSecond(t.ctx.clock.nowMs());
    expect(outcome).toBe("exchange.no_price");
    expect(await t.balance(person)).toBe(1_000_000_000n);
  });

  test("a quote belongs to one person and one attempt", async () => {
    const person = await t.person({ pUSDT: 1_000_000_000n });
    const otherPerson = await t.person({ pUSDT: 1_000_000_000n });
    const { quote_id: quoteId } = await t.exchange.quote(person, thousand);
    expect(await catchOutcome(t.execute(otherPerson, quoteId))).toBe("exchange.quote_unknown");
    await t.openAttempt(person.userId, 2);
    expect(await catchOutcome(t.execute(person, quoteId))).toBe("exchange.quote_unknown");
    expect([await t.balance(person), await t.balance(otherPerson)]).toEqual([
      1_000_000_000n,
      1_000_000_000n,
    ]);
  });

  test.each([
    "",
    "x",
    "0199aaaa",
    "00000000-0000-4000-8000-000000000000",
  ])("quote id %j is unknown", async (quoteId) => {
    const person = await t.person();
    expect(await catchOutcome(t.execute(person, quoteId))).toBe("exchange.quote_unknown");
  });

  test("a quote beyond the balance is refused and executes once the balance suffices", async () => {
    const person = await t.person({ pUSDT: 999_999_999n });
    const { quote_id: quoteId } = await t.exchange.quote(person, thousand);
    expect(await catchOutcome(t.execute(person, quoteId))).toBe("ledger.overdraft");
    expect(await t.balance(person)).toBe(999_999_999n);
    const { rows } = await t.ctx.owner.pool.query("select from exchange where quote_id = $1", [
      quoteId,
    ]);
    expect(rows).toHaveLength(0);
  });

  test("a person may request at most 20 quotes in a burst", async () => {
    const person = await t.person();
    const outcomes: string[] = [];
    for (let index = 0; index < 21; index += 1)
      outcomes.push(await catchOutcome(t.exchange.quote(person, thousand)));
    expect(outcomes).toEqual([...Array(20).fill("done"), "request.too_many"]);
  });
});

test.each([
  ["pUSDT", "pUSDT", "1", "exchange.same_coin"],
  ["pUSDT", "pBTC", "0.000001", "exchange.too_small"],
  ["pUSDT", "pBTC", "0", "money.amount_malformed"],
  ["pUSDT", "pBTC", "", "money.amount_malformed"],
  ["pUSDT", "pBTC", "-1", "money.amount_malformed"],
  ["pUSDT", "pBTC", "NaN", "money.amount_malformed"],
  ["pUSDT", "pBTC", "1e3", "money.amount_malformed"],
  ["pUSDT", "pBTC", "١٢٣", "money.amount_malformed"],
  ["pUSDT", "pBTC", "１２", "money.amount_malformed"],
  ["pUSDT", "pBTC", "all", "money.amount_malformed"],
  ["pUSDT", "pBTC", "1.0000001", "money.excess_digits"],
  ["pBTC", "pUSDT", "0.000000001", "money.excess_digits"],
  ["pUSDT", "pBTC", "9999999999999", "money.amount_too_large"],
  ["pUSDT", "pBTC", "999999999999", "money.amount_too_large"],
  ["pETH", "pBTC", "999999999999", "money.amount_too_large"],
  ["pUSDT", "pBTC", "1000000.000001", "exchange.over_limit"],
  ["pBTC", "pETH", "35.55751517", "exchange.over_limit"],
] as const)("%s for %s, %j: %s", async (from, to, amount, expected) => {
  const person = await t.person();
  expect(await catchOutcome(t.exchange.quote(person, { from, to, amount }))).toBe(expected);
});

test.each([
  [5_000, "done"],
  [5_001, "exchange.no_price"],
])("a quote on an index %i ms old: %s", async (ageMs, expected) => {
  const person = await t.person();
  t.setSecond(t.ctx.clock.nowMs() - ageMs);
  expect(await catchOutcome(t.exchange.quote(person, thousand))).toBe(expected);
  t.setSecond(t.ctx.clock.nowMs());
});

test("old quotes are purged and exchanges are kept", async () => {
  const person = await t.person({ pUSDT: 1_000_000_000n });
  const { quote_id: quoteId } = await t.exchange.quote(person, thousand);
  const { journal_id: id } = await t.execute(person, quoteId);
  t.ctx.realClock.advanceMs(3_700_000);
  await t.ctx.jobs.runNow("exchange.purge");
  const { rows } = await t.ctx.owner.pool.query("select from exchange_quote");
  expect(rows).toHaveLength(0);
  expect(await t.exchange.find(person.userId, id)).not.toBeNull();
});

test("the application's role can change neither quotes nor exchanges", async () => {
  for (const statement of [
    "update exchange set received = 1",
    "delete from exchange",
    "update exchange_quote set received = 1",
    "update coin_send set amount = 1",
    "delete from coin_send",
  ]) {
    await expect(t.ctx.database.pool.query(statement)).rejects.toMatchObject({ code: "42501" });
  }
});

test("the audit accepts exchanges as posted and finds a changed one", async () => {
  const audit = () =>
    t.ctx.database.db.transaction().execute(async (tx) => {
      const findings: string[] = [];
      await reconcileExchanges(t.ctx.world.name)(tx, (_check, detail) => findings.push(detail));
      return findings;
    });
  const person = await t.person({ pUSDT: 1_000_000_000n, pBTC: 10_000_000n });
  const ids: string[] = [];
  for (const params of [thousand, { from: "pBTC", to: "pETH", amount: "0.1" } as const]) {
    const { quote_id: quoteId } = await t.exchange.quote(person, params);
    ids.push((await t.execute(person, quoteId)).journal_id);
  }
  expect(await audit()).toEqual([]);
  await t.ctx.owner.pool.query(
    "update exchange set received = received + 1 where journal_id = $1",
    [ids[0]],
  );
  expect(await audit()).toEqual([
    expect.stringMatching(/^exchange\.execute \S+: \d+ was posted, its rows say \d+$/),
    `${ids[0]} is not what was posted`,
  ]);
  await t.ctx.owner.pool.query(
    "update exchange set received = received - 1 where journal_id = $1",
    [ids[0]],
  );
});
