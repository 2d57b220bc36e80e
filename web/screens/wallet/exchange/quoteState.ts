import type { ExchangeQuote } from "#api/exchange.ts";
import { coinScale } from "#core/money/coins.ts";
import { toMinorUnits } from "#core/money/decimal.ts";

/** A firm quote that renews itself, and which amount the person has agreed to look at. */
export interface QuoteState {
  quote: ExchangeQuote;
  /** When it expires by this page's own clock (`performance.now`). */
  untilMs: number;
  /** The quote that the person saw when they last asked or confirmed. */
  acceptedAmount: string;
  /** A worse amount than `seen`, reported until it is confirmed or no longer worse. */
  worseQuote: {
    was: string;
    /** The time since which this amount has been on the screen, by this page's clock. */
    sinceMs: number;
    /** True if a press was rejected because of it. */
    wasRefused: boolean;
  } | null;
}

/**
 * No one reads a changed figure faster, so a press within this time was meant for the previous one.
 */
export const readingTimeMs = 1_000;

const isWorse = ({ received, to }: ExchangeQuote, acceptedAmount: string) =>
  toMinorUnits(received, coinScale(to)) < toMinorUnits(acceptedAmount, coinScale(to));

/** Creates the state of the first quote, as requested. */
export function createQuoteState(quote: ExchangeQuote, untilMs: number): QuoteState {
  return { quote, untilMs, acceptedAmount: quote.received, worseQuote: null };
}

/**
 * Renews the quote at `nowMs`. If it yields less, that is reported beside the button until pressed.
 */
export function renewQuote(
  state: QuoteState,
  quote: ExchangeQuote,
  untilMs: number,
  nowMs: number,
): QuoteState {
  const { acceptedAmount, worseQuote: before } = state;
  if (!isWorse(quote, acceptedAmount)) return { quote, untilMs, acceptedAmount, worseQuote: null };
  const isSame = before !== null && quote.received === state.quote.received;
  return {
    quote,
    untilMs,
    acceptedAmount,
    worseQuote: isSame
      ? before
      : { was: acceptedAmount, sinceMs: nowMs, wasRefused: before?.wasRefused ?? false },
  };
}

/**
 * Renews the quote after the server refused the pressed one. If it yields less, that is reported.
 */
export function renewAfterRefusal(
  state: QuoteState,
  quote: ExchangeQuote,
  untilMs: number,
  nowMs: number,
): QuoteState {
  const previousAmount = state.quote.received;
  if (!isWorse(quote, previousAmount))
    return { quote, untilMs, acceptedAmount: previousAmount, worseQuote: null };
  return {
    quote,
    untilMs,
    acceptedAmount: previousAmount,
    worseQuote: { was: previousAmount, sinceMs: nowMs, wasRefused: true },
  };
}

/**
 * Decides a press at `nowMs`: it accepts the quote on the screen. Only a quote that yields less
 * than the agreed one and appeared just before the press is reported and needs another press.
 */
export function pressConfirm(
  state: QuoteState,
  nowMs: number,
): { exchange: boolean; state: QuoteState } {
  const { worseQuote } = state;
  if (worseQuote === null || nowMs - worseQuote.sinceMs >= readingTimeMs)
    return { exchange: true, state };
  // The next press confirms: this one has shown the message about the amount.
  return {
    exchange: false,
    state: {
      ...state,
      worseQuote: { ...worseQuote, sinceMs: nowMs - readingTimeMs, wasRefused: true },
    },
  };
}
