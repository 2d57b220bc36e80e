import type { AnswerOf } from "#api/call.ts";
import type { getExchangeCosts } from "#api/exchange.ts";
import { worthAtIndex } from "#core/exchange/exchange.ts";
import { computeExchangeCosts } from "#core/exchange/exchangeCosts.ts";
import { type MarketSymbol, symbols } from "#core/market/symbols.ts";
import { formatAmount } from "#core/money/amount.ts";
import { coinScale } from "#core/money/coins.ts";
import { toMinorUnits } from "#core/money/decimal.ts";
import { worldTag } from "#core/transparency-log/leaf.ts";
import type { SecondLeaf } from "#core/transparency-log/secondLeaf.ts";
import type { ExchangeRow } from "#server/exchange/types.ts";
import { toFillCostsView } from "#server/market/fillCostsView.ts";
import type { AppContext } from "#server/platform/context.ts";
import { getOrdinal } from "#server/platform/world.ts";
import { findNewestSecond, findSecond } from "#server/transparency-log/seconds.ts";

/**
 * The costs between the mid and the proceeds of an exchange. The mid is the index of the last
 * second at or before the exchange, as the log has it; null until the log has the second after it.
 */
export async function readExecutedCosts(
  { world, database: { db } }: AppContext,
  row: ExchangeRow,
): Promise<AnswerOf<typeof getExchangeCosts>["parts"]> {
  const { from_coin: from, to_coin: to, given, received, at_index: atIndex } = row;
  const quotedIndex = { leaf: Number(row.index_leaf), secondMs: Number(row.index_second_ms) };
  const { last, next } = await findSecond(db, Number(row.at_ms) + 1, quotedIndex);
  if (next === null) return null;
  const steps = row.steps.map((step) => ({
    ...step,
    given: toMinorUnits(step.given, coinScale(step.from)),
    fee: toMinorUnits(step.fee, coinScale(step.from)),
    received: toMinorUnits(step.received, coinScale(step.to)),
    index: toMinorUnits(step.index, symbols[step.symbol].scale),
  }));
  const indexIn = (second: SecondLeaf, symbol: MarketSymbol) =>
    second.index[getOrdinal(world, symbol) - 1] ?? null;
  // In a gap the last index counts, but none later than the quote's.
  const now = await findNewestSecond(
    db,
    worldTag(world.name),
    { from: quotedIndex.leaf, to: last.leaf },
    (second) => steps.every(({ symbol }) => indexIn(second, symbol) !== null),
  );
  if (!now) return null;
  const atIndexNow = worthAtIndex(from, to, given, (symbol) => indexIn(now, symbol))!;
  return {
    coin: to,
    at_index: formatAmount(atIndexNow, to),
    costs: toFillCostsView(computeExchangeCosts({ to, atIndex, steps }, atIndexNow), to),
    received: formatAmount(received, to),
  };
}
