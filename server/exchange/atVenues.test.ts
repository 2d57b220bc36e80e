import { afterAll, beforeAll, expect, test } from "vitest";
import { getExchangeAtVenues } from "#api/exchange.ts";
import { type MarketSymbol, mapBySymbol } from "#core/market/symbols.ts";
import { createAtVenues, readAtVenues } from "#server/exchange/atVenues.ts";
import { readExchange } from "#server/exchange/execute.ts";
import type { AppendedSecond } from "#server/market/feed.ts";
import type { AppContext } from "#server/platform/context.ts";
import { createTestTransfers, type TestTransfers } from "#server/testing/transfers.ts";

const venues = ["bitstamp", "coinbase", "kraken"];
const unit = 100_000_000n;

let t: TestTransfers;
/** The same world, presented as a live market. */
let liveContext: AppContext;
beforeAll(async () => {
  t = await createTestTransfers();
  const { world } = t.ctx;
  const listing = world.listing.map((listedSymbol) => ({ ...listedSymbol, venues }));
  liveContext = { ...t.ctx, world: { ...world, listing, market: { kind: "live", speed: 1 } } };
});
afterAll(() => t.destroy());

/** A second in which every venue quotes BTC/USDT around `mid`, with one coin at each price. */
function secondAt(secondMs: number, mid: bigint, change: Partial<AppendedSecond> = {}) {
  const { symbols } = liveContext.world;
  const second: AppendedSecond = {
    secondMs,
    leaf: 42,
    index: mapBySymbol(symbols, []),
    volume: [],
    quotes: venues.map(() =>
      symbols.map((symbol) =>
        symbol === "BTC/USDT"
          ? { bid: mid - 1_000n, ask: mid + 1_000n, atMs: secondMs, maxAgeMs: 5_000 }
          : null,
      ),
    ),
    bookOf: (_venue: number, symbol: MarketSymbol) =>
      symbol === "BTC/USDT"
        ? {
            bids: [{ price: mid - 1_000n, size: unit }],
            asks: [{ price: mid + 1_000n, size: unit }],
          }
        : null,
    takerFee: (venue) =>
      venue === 2 ? null : { fee: venue === 0 ? 4_000 : 12_000, source: "ccxt 0" },
    ...change,
  };
  return second;
}

async function executeExchange(amount: string) {
  const person = await t.person({ pBTC: 3n * unit });
  t.setSecond(t.ctx.clock.nowMs());
  const quote = await t.exchange.quote(person, { from: "pBTC", to: "pUSDT", amount });
  const { journal_id: id } = await t.execute(person, quote.quote_id);
  return { person, id, row: (await readExchange(t.ctx.database.db, person.userId, id))! };
}

const close = (hooks: NonNullable<ReturnType<typeof createAtVenues>>, seconds: AppendedSecond[]) =>
  t.ctx.database.db.transaction().execute(async (tx) => {
    await hooks.afterAppend(tx, seconds);
  });

test("an exchange states its result at each venue's next book, less the venue's fee", async () => {
  const { row } = await executeExchange("0.5");
  const hooks = createAtVenues(liveContext, venues)!;
  expect(await readAtVenues(liveContext, row)).toMatchObject({ state: "pending", steps: [] });
  const atMs = Number(row.at_ms);
  const boundMs = Math.ceil(atMs / 1_000) * 1_000;
  await close(hooks, [secondAt(boundMs - 1_000, 2_813_000n)]);
  await close(hooks, [secondAt(boundMs, 2_812_000n)]);
  const comparison = await readAtVenues(liveContext, row);
  getExchangeAtVenues.answer.parse(comparison);
  expect(comparison).toMatchObject({ state: "ready", second_ms: boundMs, leaf: 42 });
  const [step] = comparison.steps;
  expect(step).toMatchObject({ given: "0.5", received: row.steps[0]!.received });
  // Half a coin: mid 28 130 then, 28 120 when the book was met, sold at 28 110.
  expect(step!.venues).toEqual([
    {
      venue: "bitstamp",
      why: null,
      received: "13998.78",
      spread: "5",
      fee: "56.22",
      delay: "5",
      fee_bp: "40.00",
      fee_source: "ccxt 0",
      levels: [["28110.00", "1"]],
    },
    {
      venue: "coinbase",
      why: null,
      received: "13886.34",
      spread: "5",
      fee: "168.66",
      delay: "5",
      fee_bp: "120.00",
      fee_source: "ccxt 0",
      levels: [["28110.00", "1"]],
    },
    {
      venue: "kraken",
      why: "no_fee",
      received: null,
      spread: null,
      fee: null,
      delay: null,
      fee_bp: null,
      fee_source: null,
      levels: [],
    },
  ]);
});

test("a venue without a book or with too little depth has no result", async () => {
  const { row } = await executeExchange("1.5");
  const boundMs = Math.ceil(Number(row.at_ms) / 1_000) * 1_000;
  const quotes = secondAt(boundMs, 2_812_000n).quotes.map((ownQuote, index) =>
    index === 1 ? ownQuote.map(() => null) : ownQuote,
  );
  await close(createAtVenues(liveContext, venues)!, [secondAt(boundMs, 2_812_000n, { quotes })]);
  const { steps } = await readAtVenues(liveContext, row);
  expect(steps[0]!.venues.map(({ why }) => why)).toEqual(["thin", "no_book", "no_fee"]);
});

test("the cost of the wait is unknown if the previous second was missed", async () => {
  const { row } = await executeExchange("0.5");
  const boundMs = Math.ceil(Number(row.at_ms) / 1_000) * 1_000;
  const hooks = createAtVenues(liveContext, venues)!;
  await close(hooks, [secondAt(boundMs - 2_000, 2_900_000n)]);
  await close(hooks, [secondAt(boundMs, 2_812_000n)]);
  const { steps } = await readAtVenues(liveContext, row);
  expect(steps[0]!.venues[0]).toMatchObject({ delay: null, spread: "5" });
});

test("only the owner can compare an exchange with venues, and only on a live market", async () => {
  const { person, id, row } = await executeExchange("0.1");
  const otherPerson = await t.person();
  expect(createAtVenues(t.ctx, venues)).toBeNull();
  expect(await t.exchange.atVenues(person.userId, id)).toMatchObject({ state: "none" });
  expect(await t.exchange.atVenues(otherPerson.userId, id)).toMatchObject({ state: "none" });
  expect(await t.exchange.atVenues(person.userId, "x")).toMatchObject({ state: "none" });
  t.ctx.clock.advanceTo(t.ctx.clock.nowMs() + 20_000);
  expect(await readAtVenues(liveContext, row)).toMatchObject({ state: "none" });
});
