import { expect, test } from "vitest";
import { coinCodes } from "#core/money/coins.ts";
import { getSendMin } from "#core/send/send.ts";

test("the minimum to send is about a cent of each coin", () => {
  expect(Object.fromEntries(coinCodes.map((coin) => [coin, getSendMin(coin)]))).toEqual({
    pUSDT: 10_000n,
    pUSDC: 10_000n,
    pBTC: 100n,
    pETH: 10_000n,
  });
});
