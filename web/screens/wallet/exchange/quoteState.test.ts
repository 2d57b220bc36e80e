import { expect, test } from "vitest";
import type { ExchangeQuote } from "#api/exchange.ts";
import { pressed, quoted, renewed, renewedAfterRefusal } from "./quoteState.ts";

const quote = (id: string, received: string) => ({ quote_id: id, received }) as ExchangeQuote;
const first = quoted(quote("q1", "10"), 1_000);

test("a new quote is exchanged with one press", () => {
  expect(pressed(first).exchange).toBe(true);
});

test("a renewed quote with the same amount is exchanged with one press", () => {
  expect(pressed(renewed(first, quote("q2", "10"), 2_000))).toMatchObject({
    exchange: true,
    state: { quote: { quote_id: "q2" }, untilMs: 2_000, moved: null },
  });
});

test.each([
  ["9.9"],
  ["10.1"],
])("a rate that moved to %s is shown before it is exchanged", (amount) => {
  const shown = pressed(renewed(first, quote("q2", amount), 2_000));
  expect(shown).toMatchObject({ exchange: false, state: { seen: amount, moved: "10" } });
  expect(pressed(shown.state).exchange).toBe(true);
});

test("a rate that moves again is shown again", () => {
  const shown = pressed(renewed(first, quote("q2", "9"), 2_000)).state;
  const again = renewed(shown, quote("q3", "8"), 3_000);
  expect(again.moved).toBe(null);
  expect(pressed(again)).toMatchObject({ exchange: false, state: { moved: "9" } });
});

test("a refusal shows the new amount beside the refused one", () => {
  const state = renewedAfterRefusal(first, quote("q2", "9"), 2_000);
  expect(state).toMatchObject({ seen: "9", moved: "10" });
  expect(pressed(state).exchange).toBe(true);
});
