import { isSymbol, type MarketSymbol } from "#core/market/symbols.ts";
import type { KlinesAnswer, KlinesTask, LiveTask } from "#server/market/live/messages.ts";
import {
  isRateLimitError,
  listSpotSymbols,
  openExchange,
  type PublicExchange,
} from "#server/market/live/publicExchange.ts";

/**
 * Reads klines of the past over the venues' public REST side, for recordings. It runs in the live
 * market's process, with the same restrictions.
 */
export function createKlineReader({ fakeVenues }: Pick<LiveTask, "fakeVenues">) {
  const exchanges = new Map<string, Promise<PublicExchange>>();

  function open(venue: string): Promise<PublicExchange> {
    const cached = exchanges.get(venue);
    if (cached) return cached;
    const listener = { beforeMessage: () => {}, onLost: () => {} };
    const opening = openExchange(venue, fakeVenues, listener).then(async (exchange) => {
      await exchange.loadMarkets(true);
      return exchange;
    });
    exchanges.set(venue, opening);
    // Retried with the next request.
    opening.catch(() => exchanges.delete(venue));
    return opening;
  }

  return async ({ venue, symbol, sinceMs }: KlinesTask): Promise<KlinesAnswer> => {
    try {
      const exchange = await open(venue);
      const listedNames: MarketSymbol[] = listSpotSymbols(exchange).filter(isSymbol);
      if (!listedNames.includes(symbol)) return { kind: "not_listed" };
      if (!exchange.has.fetchOHLCV) return { kind: "not_served" };
      const rows = await exchange.fetchOHLCV(symbol, "1m", sinceMs);
      return { kind: "klines", rows };
    } catch (error) {
      const { name, message } = error as Error;
      return {
        kind: "failed",
        error: `${name}: ${message.slice(0, 200)}`,
        isLimit: isRateLimitError(error),
      };
    }
  };
}
