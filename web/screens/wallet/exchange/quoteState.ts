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
    /** Since when this amount has been on the screen, by this page's own clock. */
    sinceMs: number;
    /** True if a press was rejected because of it. */
    wasRefused: boolean;
  } | null;
}

/**
 * No one reads a changed figure faster: a press within this time was meant for the previous one.
 */
export const readingTimeMs = 1_000;

const isWorse = ({ received, to }: ExchangeQuote, acceptedAmount: string) =>
  toMinorUnits(received, coinScale(to)) < toMinorUnits(acceptedAmount, coinScale(to));

/** The first quote, as asked for. */
export function createQuoteState(quote: ExchangeQuote, untilMs: number): QuoteState {
  return { quote, untilMs, acceptedAmount: quote.received, worseQuote: null };
}

/** A renewed quote at `nowMs`: one that brings less says so beside the button, until pressed. */
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

/** A renewed quote after the server refused the one pressed: one that brings less is reported. */
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
 * Decides a press at `nowMs`: it takes the quote on the screen. Only one that brings less than was
 * agreed to, and that changed under the finger, is reported and needs another press.
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
