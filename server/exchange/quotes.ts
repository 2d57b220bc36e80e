import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { ExchangeQuote } from "#api/exchange.ts";
import { exchangeWorthMax, quoteExchange, quoteLifeMs } from "#core/exchange/exchange.ts";
import { isFresh } from "#core/market/freshness.ts";
import type { MarketSymbol } from "#core/market/symbols.ts";
import type { Coin } from "#core/money/coins.ts";
import { requireAmount } from "#server/addresses/amount.ts";
import type { ExchangeOwner } from "#server/exchange/types.ts";
import { toQuoteView, toStepView } from "#server/exchange/views.ts";
import { ApiError } from "#server/platform/apiError.ts";
import { hasEnded, isPaused } from "#server/platform/clock/clock.ts";
import type { AppContext } from "#server/platform/context.ts";
import { createRateLimit } from "#server/platform/http/limits/rateLimit.ts";

/** The market's last closed second. */
export interface ExchangePrices {
  latest(): {
    secondMs: number;
    leaf: number;
    index: Readonly<Partial<Record<MarketSymbol, bigint | null>>>;
  } | null;
}

export interface ExchangeParams {
  from: Coin;
  to: Coin;
  /** Decimal, of `from`. */
  amount: string;
}

const limits = { perSecond: 2, burst: 20 };

/** The last closed second while it is fresh enough to be "now"; null otherwise. */
export function getFreshPrices({ clock }: Pick<AppContext, "clock">, prices: ExchangePrices) {
  const latest = prices.latest();
  return latest && isFresh(latest.secondMs, clock.nowMs(), clock.speed) ? latest : null;
}

/** Issues quotes: the result of an exchange at a fresh index, firm for 15 real seconds. */
export function createQuoteService(ctx: AppContext, prices: ExchangePrices) {
  const { clock, realClock } = ctx;
  const limit = createRateLimit(limits, realClock);
  return async (owner: ExchangeOwner, params: ExchangeParams): Promise<ExchangeQuote> => {
    limit.require(owner.userId);
    const givenAmount = requireAmount(params.from, params.amount);
    if (hasEnded(clock)) throw new ApiError("exchange.recording_ended");
    if (isPaused(clock)) throw new ApiError("class.paused");
    const latest = getFreshPrices(ctx, prices);
    if (!latest) {
      throw new ApiError(params.from === params.to ? "exchange.same_coin" : "exchange.no_price");
    }
    const { from, to } = params;
    const result = quoteExchange(
      { from, to, given: givenAmount },
      (symbol) => latest.index[symbol] ?? null,
    );
    if (!result.ok) {
      if (result.error === "too_large") throw new ApiError("money.amount_too_large");
      if (result.error === "over_limit") {
        throw new ApiError("exchange.over_limit", { maximum: Number(exchangeWorthMax) / 1e6 });
      }
      throw new ApiError(`exchange.${result.error}`);
    }
    const row = {
      quote_id: randomUUID(),
      from_coin: from,
      to_coin: to,
      given: givenAmount,
      received: result.quote.received,
      at_index: result.quote.atIndex,
      steps: result.quote.steps.map(toStepView),
      index_second_ms: BigInt(latest.secondMs),
      index_leaf: BigInt(latest.leaf),
      expires_real_ms: BigInt(realClock.nowMs() + quoteLifeMs),
    };
    await sql`
      insert into exchange_quote (quote_id, user_id, attempt_id, from_coin, to_coin, given, received, at_index, steps,
        index_second_ms, index_leaf, expires_real_ms)
      values (${row.quote_id}, ${owner.userId}, ${owner.attemptId}, ${from}, ${to}, ${givenAmount}, ${row.received},
        ${row.at_index}, ${JSON.stringify(row.steps)}::jsonb, ${row.index_second_ms}, ${row.index_leaf},
        ${row.expires_real_ms})`.execute(ctx.database.db);
    return toQuoteView(row);
  };
}
