import type { ExchangeQuote } from "#api/exchange.ts";

/** A firm quote that renews itself, and which amount the person has agreed to look at. */
export interface QuoteState {
  quote: ExchangeQuote;
  /** When it expires by this page's own clock (`performance.now`). */
  untilMs: number;
  /** What the person was shown when they last asked or confirmed. */
  seen: string;
  /** The amount before the rate moved, while that is being told. */
  moved: string | null;
}

/** The first quote, as asked for. */
export function quoted(quote: ExchangeQuote, untilMs: number): QuoteState {
  return { quote, untilMs, seen: quote.received, moved: null };
}

/** A renewed quote: shown at once, but not agreed to. */
export function renewed(state: QuoteState, quote: ExchangeQuote, untilMs: number): QuoteState {
  return { ...state, quote, untilMs, moved: null };
}

/** A renewed quote after the server refused the one before: its amount is told at once. */
export function renewedAfterRefusal(
  state: QuoteState,
  quote: ExchangeQuote,
  untilMs: number,
): QuoteState {
  return { quote, untilMs, seen: quote.received, moved: state.seen };
}

/**
 * What a press of the button does: it exchanges at the amount that was seen, and otherwise first
 * tells that the rate has moved. So a renewal under the finger never exchanges at another rate.
 */
export function pressed(state: QuoteState): { exchange: boolean; state: QuoteState } {
  const { quote, seen } = state;
  if (quote.received === seen) return { exchange: true, state };
  return { exchange: false, state: { ...state, seen: quote.received, moved: seen } };
}
