import { expect, test } from "vitest";
import type { ExchangeQuote } from "#api/exchange.ts";
import {
  createQuoteState,
  pressConfirm,
  readingTimeMs,
  renewAfterRefusal,
  renewQuote,
} from "./quoteState.ts";

const quote = (id: string, received: string) =>
  ({ quote_id: id, received, to: "pUSDT" }) as ExchangeQuote;
const first = createQuoteState(quote("q1", "10"), 1_000);
const now = 5_000;

test("a new quote is exchanged with one press", () => {
  expect(pressConfirm(first, now).exchange).toBe(true);
});

test.each([["10"], ["10.1"]])("a renewed quote of %s needs one press", (amount) => {
  expect(pressConfirm(renewQuote(first, quote("q2", amount), 2_000, now), now)).toMatchObject({
    exchange: true,
    state: { quote: { quote_id: "q2" }, untilMs: 2_000, worseQuote: null },
  });
});

test("a worse amount is reported as soon as it is shown, and can be confirmed after a moment on screen", () => {
  const state = renewQuote(first, quote("q2", "9.9"), 2_000, now);
  expect(state.worseQuote).toMatchObject({ was: "10", wasRefused: false });
  expect(pressConfirm(state, now + readingTimeMs).exchange).toBe(true);
});

test("a worse amount that appeared just before the press needs a second press", () => {
  const lateState = pressConfirm(
    renewQuote(first, quote("q2", "9.9"), 2_000, now),
    now + readingTimeMs - 1,
  );
  expect(lateState).toMatchObject({
    exchange: false,
    state: { worseQuote: { was: "10", wasRefused: true } },
  });
  expect(pressConfirm(lateState.state, now + readingTimeMs).exchange).toBe(true);
});

test("the message stays through renewals while the amount is worse", () => {
  const state = pressConfirm(renewQuote(first, quote("q2", "9"), 2_000, now), now).state;
  const unchangedState = renewQuote(state, quote("q3", "9"), 3_000, now + 100);
  expect(unchangedState.worseQuote).toEqual(state.worseQuote);
  expect(pressConfirm(unchangedState, now + 100).exchange).toBe(true);
  const worseState = renewQuote(state, quote("q4", "8"), 3_000, now + 100);
  expect(worseState.worseQuote).toMatchObject({ was: "10", wasRefused: true });
  expect(pressConfirm(worseState, now + 100).exchange).toBe(false);
});

test("the message disappears when the amount is no longer worse", () => {
  const state = renewQuote(first, quote("q2", "9"), 2_000, now);
  expect(renewQuote(state, quote("q3", "10"), 3_000, now).worseQuote).toBe(null);
});

test("after a refusal, a worse amount is compared with the refused one and needs another press", () => {
  const state = renewAfterRefusal(first, quote("q2", "9"), 2_000, now);
  expect(state).toMatchObject({ worseQuote: { was: "10", wasRefused: true } });
  expect(pressConfirm(state, now).exchange).toBe(false);
  expect(pressConfirm(state, now + readingTimeMs).exchange).toBe(true);
});

test.each([["10"], ["11"]])("after a refusal, %s needs no message", (amount) => {
  expect(renewAfterRefusal(first, quote("q2", amount), 2_000, now).worseQuote).toBe(null);
});
