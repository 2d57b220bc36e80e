import { expect, test } from "vitest";
import { costInGiven } from "#core/exchange/costInGiven.ts";
import { quoteExchange } from "#core/exchange/exchange.ts";

test.each([
  ["pUSDT", "pBTC", 1_000_000_000n],
  ["pBTC", "pUSDT", 1_000_000n],
] as const)("%s to %s costs its fee and spread of what is given", (from, to, given) => {
  const quoted = quoteExchange({ from, to, given }, () => 122_043_53n);
  if (!quoted.ok) throw new Error(quoted.reason);
  const { atIndex, cost } = quoted.quote;
  const share = Number((costInGiven(given, atIndex, cost) * 100_000n) / given);
  expect(share).toBeGreaterThanOrEqual(199);
  expect(share).toBeLessThanOrEqual(201);
});

test("a cost is rounded up, and nothing costs nothing", () => {
  expect(costInGiven(10n, 3n, 1n)).toBe(4n);
  expect(costInGiven(10n, 3n, 0n)).toBe(0n);
  expect(costInGiven(10n, 0n, 0n)).toBe(0n);
});
