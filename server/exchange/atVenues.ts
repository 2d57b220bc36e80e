import { sql } from "kysely";
import type { ExchangeAtVenues, ExchangeStep } from "#api/exchange.ts";
import { tradeAtVenue } from "#core/market/atVenue.ts";
import { sizeScale } from "#core/market/book.ts";
import { type MarketSymbol, symbols } from "#core/market/symbols.ts";
import { formatAmount } from "#core/money/amount.ts";
import { type Coin, coinScale } from "#core/money/coins.ts";
import { formatDecimal, toMinorUnits } from "#core/money/decimal.ts";
import type { ExchangeRow } from "#server/exchange/types.ts";
import type { AfterAppend, AppendedSecond } from "#server/market/feed.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Tx } from "#server/platform/db/database.ts";

/** A second that has not closed by then never will. */
const latestMs = 15_000;

type StepAtVenues = ExchangeAtVenues["steps"][number];

interface ExecutedExchange {
  journal_id: string;
  steps: ExchangeStep[];
  at_ms: bigint;
}

/**
 * Computes the result of each exchange of a live world at the venues themselves: against the books
 * of the first second that closes after it, which an order sent then would have met. Stored with
 * the exchange, because the books are not available later. Runs where seconds are closed.
 */
export function createAtVenues({ world }: Pick<AppContext, "world">, venues: readonly string[]) {
  if (world.market.kind !== "live") return null;
  /** The second before, for the mids at which an order would have been decided. */
  let before: AppendedSecond | null = null;

  const toStep = (step: ExchangeStep, second: AppendedSecond): StepAtVenues => {
    const listing = world.listing.find(({ name }) => name === step.symbol)?.venues ?? [];
    return {
      symbol: step.symbol,
      side: step.side,
      from: step.from,
      to: step.to,
      given: step.given,
      received: step.received,
      venues: listing.map((venue) => oneVenue(step, second, venue)),
    };
  };
  const oneVenue = (step: ExchangeStep, second: AppendedSecond, venue: string) => {
    const symbol = step.symbol as MarketSymbol;
    const row = venues.indexOf(venue);
    const column = world.symbols.indexOf(symbol);
    const feeCharged = second.takerFee(row, symbol);
    const emptyRow = (why: "no_book" | "no_fee" | "thin") => ({ ...empty, venue, why });
    const book = second.quotes[row]?.[column] ? second.bookOf(row, symbol) : null;
    if (!book) return emptyRow("no_book");
    if (!feeCharged) return emptyRow("no_fee");
    const isNext = before !== null && before.secondMs === second.secondMs - 1_000;
    const quoteThen = isNext ? before?.quotes[row]?.[column] : null;
    const midThen2 = quoteThen ? quoteThen.bid + quoteThen.ask : null;
    const [base, quote] = getCoins(step);
    const order = {
      symbol,
      side: step.side,
      given: toMinorUnits(step.given, coinScale(step.from)),
      baseScale: coinScale(base),
      quoteScale: coinScale(quote),
    };
    const venueExecution = tradeAtVenue(order, book, feeCharged.fee, midThen2);
    if (!venueExecution) return emptyRow("thin");
    const inTo = (value: bigint) => formatAmount(value, step.to);
    return {
      venue,
      why: null,
      received: inTo(venueExecution.received),
      spread: inTo(venueExecution.spread),
      fee: inTo(venueExecution.fee),
      delay: venueExecution.delay === null ? null : inTo(venueExecution.delay),
      fee_bp: formatDecimal(BigInt(feeCharged.fee), 2, true),
      fee_source: feeCharged.source,
      levels: venueExecution.levels.map(({ price, size }): [string, string] => [
        formatDecimal(price, symbols[symbol].scale, true),
        formatDecimal(size, sizeScale),
      ]),
    };
  };

  const afterAppend: AfterAppend = async (tx, seconds) => {
    const executed = await readExecuted(tx, seconds);
    for (const second of seconds) {
      for (const executedExchange of executed) {
        const boundMs = Math.ceil(Number(executedExchange.at_ms) / 1_000) * 1_000;
        if (boundMs !== second.secondMs) continue;
        const steps = executedExchange.steps.map((step) => toStep(step, second));
        await sql`insert into exchange_venue_comparison (journal_id, second_ms, leaf, steps)
          values (${executedExchange.journal_id}, ${second.secondMs}, ${second.leaf}, ${JSON.stringify(steps)}::jsonb)
          on conflict do nothing`.execute(tx);
      }
      before = second;
    }
    return () => {};
  };
  return { afterAppend };
}

const empty = {
  received: null,
  spread: null,
  fee: null,
  delay: null,
  fee_bp: null,
  fee_source: null,
  levels: [],
};

const getCoins = ({ side, from, to }: ExchangeStep): [base: Coin, quote: Coin] =>
  side === "buy" ? [to, from] : [from, to];

/** Exchanges that were executed within the seconds that close now. */
async function readExecuted(
  tx: Tx,
  seconds: readonly AppendedSecond[],
): Promise<ExecutedExchange[]> {
  const [first, last] = [seconds[0], seconds.at(-1)];
  if (!first || !last) return [];
  const { rows } = await sql<ExecutedExchange>`
    select journal_id, steps, at_ms from exchange
    where at_ms > ${first.secondMs - 1_000} and at_ms <= ${last.secondMs}
    order by at_ms`.execute(tx);
  return rows;
}

/** Returns the stored venue results of a person's exchange; null if they have no such exchange. */
export async function readAtVenues(
  { database: { db }, world, clock }: AppContext,
  exchange: Pick<ExchangeRow, "journal_id" | "at_ms"> | null,
): Promise<ExchangeAtVenues> {
  const noComparison = { second_ms: null, leaf: null, steps: [] };
  if (!exchange) return { state: "none", ...noComparison };
  const { journal_id: id, at_ms: atMs } = exchange;
  const { rows } = await sql<{ second_ms: bigint; leaf: bigint; steps: StepAtVenues[] }>`
    select second_ms, leaf, steps from exchange_venue_comparison where journal_id = ${id}`.execute(
    db,
  );
  const [row] = rows;
  if (row) {
    const { second_ms: secondMs, leaf, steps } = row;
    return { state: "ready", second_ms: Number(secondMs), leaf: Number(leaf), steps };
  }
  const isSoon = world.market.kind === "live" && clock.nowMs() - Number(atMs) < latestMs;
  return { state: isSoon ? "pending" : "none", ...noComparison };
}
