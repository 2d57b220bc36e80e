import { expect, test } from "vitest";
import type { ExchangeQuote } from "#api/exchange.ts";
import { pressed, quoted, readMs, renewed, renewedAfterRefusal } from "./quoteState.ts";

const quote = (id: string, received: string) =>
  ({ quote_id: id, received, to: "pUSDT" }) as ExchangeQuote;
const first = quoted(quote("q1", "10"), 1_000);
const now = 5_000;

test("a new quote is exchanged with one press", () => {
  expect(pressed(first, now).exchange).toBe(true);
});

test.each([["10"], ["10.1"]])("a renewed quote of %s needs one press", (amount) => {
  expect(pressed(renewed(first, quote("q2", amount), 2_000, now), now)).toMatchObject({
    exchange: true,
    state: { quote: { quote_id: "q2" }, untilMs: 2_000, moved: null },
  });
});

test("a worse amount is told as soon as it is shown, and taken once it has stood there", () => {
  const state = renewed(first, quote("q2", "9.9"), 2_000, now);
  expect(state.moved).toMatchObject({ was: "10", refused: false });
  expect(pressed(state, now + readMs).exchange).toBe(true);
});

test("a worse amount that came under the finger needs a second press", () => {
  const under = pressed(renewed(first, quote("q2", "9.9"), 2_000, now), now + readMs - 1);
  expect(under).toMatchObject({ exchange: false, state: { moved: { was: "10", refused: true } } });
  expect(pressed(under.state, now + readMs).exchange).toBe(true);
});

test("the message stays over renewals while the amount is worse", () => {
  const stated = pressed(renewed(first, quote("q2", "9"), 2_000, now), now).state;
  const same = renewed(stated, quote("q3", "9"), 3_000, now + 100);
  expect(same.moved).toEqual(stated.moved);
  expect(pressed(same, now + 100).exchange).toBe(true);
  const again = renewed(stated, quote("q4", "8"), 3_000, now + 100);
  expect(again.moved).toMatchObject({ was: "10", refused: true });
  expect(pressed(again, now + 100).exchange).toBe(false);
});

test("the message goes when the amount is no longer worse", () => {
  const stated = renewed(first, quote("q2", "9"), 2_000, now);
  expect(renewed(stated, quote("q3", "10"), 3_000, now).moved).toBe(null);
});

test("a refusal tells a worse amount beside the refused one, and asks for a press after it", () => {
  const state = renewedAfterRefusal(first, quote("q2", "9"), 2_000, now);
  expect(state).toMatchObject({ moved: { was: "10", refused: true } });
  expect(pressed(state, now).exchange).toBe(false);
  expect(pressed(state, now + readMs).exchange).toBe(true);
});

test.each([["10"], ["11"]])("after a refusal, %s needs no message", (amount) => {
  expect(renewedAfterRefusal(first, quote("q2", amount), 2_000, now).moved).toBe(null);
});
