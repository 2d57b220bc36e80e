import { expect, test } from "vitest";
import type { ExchangeStep } from "#api/exchange.ts";
import { correctGiven, findGivenFor } from "./givenFor.ts";

const pair = { from: "pUSDT", to: "pBTC" } as const;

test.each([
  ["an amount", "0.03548646", "999.999918"],
  ["nothing", "0", null],
  ["an unfinished text", "", null],
  ["more digits than the coin has", "0.000000001", null],
])("what is to be given for %s", (_title, received, given) => {
  expect(findGivenFor({ ...pair, received }, () => 2_812_345n)).toBe(given);
});

test("a quote whose amount does not match its index is corrected once", () => {
  const steps = [{ symbol: "BTC/USDT", index: "28123.45" }] as ExchangeStep[];
  const amount = correctGiven({ ...pair, given: "990", steps }, "0.03548646");
  expect(amount).toBe("999.999918");
  expect(correctGiven({ ...pair, given: amount!, steps }, "0.03548646")).toBeNull();
});
