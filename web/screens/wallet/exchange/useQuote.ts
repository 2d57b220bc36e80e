import { useEffect, useEffectEvent, useRef, useState } from "react";
import { ApiError } from "#api/client.ts";
import { quoteExchange } from "#api/routes/exchange.ts";
import type { Coin } from "#core/money/coins.ts";
import { useApiMutation } from "#web/lib/api/useApiMutation.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { useLatestRun } from "#web/lib/useLatestRun.ts";
import { correctGiven } from "./givenFor.ts";
import { createQuoteState, type QuoteState, renewAfterRefusal, renewQuote } from "./quoteState.ts";

/** Half a second of the quote's validity is reserved for the request. */
const wayMs = 500;
/** Ten minutes: no one looks at one quote for longer, and an open page then stops asking. */
const renewalsMax = 40;

/** The amounts of a quote to ask for, in the wire's form. */
export interface QuoteParams {
  given: string;
  /**
   * The least to be received; null if the person decided on `given`. Then `given` is an
   * estimate, which the index of the first quote corrects.
   */
  received: string | null;
}

/**
 * A quote, fetched on demand and from then on renewed while the page is visible and `holds` is
 * false.
 */
export function useQuote(from: Coin, to: Coin, holds: boolean) {
  const errorMessage = useErrorMessage();
  const { send, isBusy } = useApiMutation(quoteExchange);
  const [state, setState] = useState<QuoteState | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [hasProblem, setHasProblem] = useState(false);
  const { begin, abandon } = useLatestRun();
  const renewals = useRef(0);
  /** Fixed by the first quote: a renewed one may bring less, but never asks for more. */
  const amountRef = useRef("");
  const drop = () => {
    abandon();
    setState(null);
    setFailure(null);
    setHasProblem(false);
  };
  const sendQuote = async (received: string | null) => {
    const { data } = await send({ from, to, amount: amountRef.current });
    const correction = received === null ? null : correctGiven(data, received);
    if (correction === null) return data;
    amountRef.current = correction;
    return (await send({ from, to, amount: correction })).data;
  };
  /** Fetches a quote; a change or cancellation in the meantime discards its answer. */
  const fetchQuote = async (
    toNextState: (quote: QuoteState["quote"], untilMs: number) => QuoteState,
    received: string | null = null,
  ) => {
    const isCurrent = begin();
    const askedMs = performance.now();
    setFailure(null);
    try {
      const data = await sendQuote(received);
      if (!isCurrent()) return null;
      const renewedState = toNextState(data, askedMs + data.firm_ms - wayMs);
      setState(renewedState);
      return renewedState;
    } catch (error) {
      if (!isCurrent()) return null;
      setState(null);
      setFailure(errorMessage(error));
      return null;
    }
  };
  const ask = async (params: QuoteParams) => {
    drop();
    if (/^[0.]*$/.test(params.received ?? params.given)) {
      setHasProblem(true);
      return;
    }
    renewals.current = 0;
    amountRef.current = params.given;
    await fetchQuote(createQuoteState, params.received);
  };
  const renew = useEffectEvent(async () => {
    if (!state || document.visibilityState !== "visible") return;
    renewals.current += 1;
    if (renewals.current > renewalsMax) drop();
    else await fetchQuote((quote, untilMs) => renewQuote(state, quote, untilMs, performance.now()));
  });
  const untilMs = state?.untilMs;
  useEffect(() => {
    if (untilMs === undefined || holds) return;
    const timer = window.setTimeout(() => void renew(), Math.max(0, untilMs - performance.now()));
    // A page that comes back into view has a quote that expired in the meantime.
    const onVisible = () => {
      if (performance.now() >= untilMs) void renew();
    };
    document.addEventListener("visibilitychange", onVisible);
    return () => {
      window.clearTimeout(timer);
      document.removeEventListener("visibilitychange", onVisible);
    };
  }, [untilMs, holds]);
  /**
   * Renews after the server refused the quote because it ran out or the rate moved; false for
   * another refusal. The new state if it yields no less than the quote pressed, which needs no
   * second press.
   */
  const onRefused = async (error: unknown): Promise<QuoteState | boolean> => {
    const isOver =
      error instanceof ApiError &&
      ["exchange.quote_expired", "exchange.rate_moved"].includes(error.error);
    if (!isOver || !state) return false;
    const next = await fetchQuote((quote, untilMs) =>
      renewAfterRefusal(state, quote, untilMs, performance.now()),
    );
    return next?.worseQuote === null ? next : true;
  };
  return {
    state,
    setState,
    ask,
    drop,
    refused: onRefused,
    isBusy,
    failure,
    setFailure,
    problem: hasProblem,
  };
}
