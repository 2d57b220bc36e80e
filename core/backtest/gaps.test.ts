import { expect, test } from "vitest";
import type { Moment } from "#core/hosting/types.ts";
import { measureGaps } from "./gaps.ts";

/** Two venues a basis point wide; `spacing` is the distance between them in basis points. */
function moment(minute: number, spacing: number, isFresh = true): Moment {
  const atMs = minute * 60_000;
  const book = (mid: number) => ({
    bid: BigInt(mid - 1),
    ask: BigInt(mid + 1),
    levels: () => ({ bids: [], asks: [] }),
  });
  return {
    atMs,
    book: (venue) =>
      venue === "east"
        ? { ...book(10_000), atMs }
        : { ...book(10_000 + spacing), atMs: isFresh ? atMs : atMs - 60_000 },
    index: () => null,
  };
}

test("a gap is measured in mid prices and in executable prices, with each stretch above the cost", () => {
  const spacings = [0, 30, 30, 10, 30, 30];
  const moments = spacings.map((distance, minute) => moment(minute, distance));
  const gaps = measureGaps(moments, "BTC/USDT", ["east", "west"], 22);
  expect(gaps.moments).toBe(6);
  expect(gaps.mids.map(Math.round)).toEqual(spacings);
  // Each side costs half a spread.
  expect(gaps.takeable.map(Math.round)).toEqual([-2, 28, 28, 8, 28, 28]);
  expect(gaps.runs).toEqual([2, 2]);
});

test("a book of another moment and a single venue give no gap", () => {
  const gaps = measureGaps([moment(1, 50, false)], "BTC/USDT", ["east", "west"], 22);
  expect(gaps).toEqual({ moments: 0, mids: [], takeable: [], runs: [] });
});
