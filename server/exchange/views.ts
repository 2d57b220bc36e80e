import type { Exchange, ExchangeQuote, ExchangeStep } from "#api/exchange.ts";
import {
  exchangeFeeBp,
  exchangeSpreadBp,
  quoteLifeMs,
  type ExchangeStep as Step,
} from "#core/exchange/exchange.ts";
import { symbols } from "#core/market/symbols.ts";
import { formatAmount } from "#core/money/amount.ts";
import { formatDecimal } from "#core/money/decimal.ts";
import type { ExchangeRow, QuoteRow, TermsRow } from "#server/exchange/types.ts";

/** A step as on the wire and in the rows. */
export function toStepView(step: Step): ExchangeStep {
  const { symbol, side, from, to } = step;
  const price = (value: bigint) => formatDecimal(value, symbols[symbol].scale, true);
  return {
    symbol,
    side,
    from,
    to,
    given: formatAmount(step.given, from),
    fee: formatAmount(step.fee, from),
    index: price(step.index),
    rate: price(step.rate),
    received: formatAmount(step.received, to),
    fee_cost: formatAmount(step.feeCost, to),
    spread_cost: formatAmount(step.spreadCost, to),
  };
}

export function toQuoteView(row: Omit<QuoteRow, "attempt_id">): ExchangeQuote {
  return { ...toTermsView(row), expires_at_ms: Number(row.expires_real_ms), firm_ms: quoteLifeMs };
}

export function toExchangeView(row: ExchangeRow): Exchange {
  return { ...toTermsView(row), journal_id: row.journal_id, at_ms: Number(row.at_ms) };
}

function toTermsView(row: TermsRow) {
  return {
    quote_id: row.quote_id,
    from: row.from_coin,
    to: row.to_coin,
    given: formatAmount(row.given, row.from_coin),
    received: formatAmount(row.received, row.to_coin),
    at_index: formatAmount(row.at_index, row.to_coin),
    cost: formatAmount(row.at_index - row.received, row.to_coin),
    fee_bp: exchangeFeeBp,
    spread_bp: exchangeSpreadBp,
    steps: row.steps,
    index_second_ms: Number(row.index_second_ms),
    index_leaf: Number(row.index_leaf),
  };
}
