/**
 * The practice coins: the only coins a balance can be in.
 *
 * Source: docs/rules/units.md. The `p` is part of the code everywhere, on the wire as on the screen.
 */
export const coins = {
  pUSDT: { scale: 6, standsFor: "USDT" },
  pUSDC: { scale: 6, standsFor: "USDC" },
  pBTC: { scale: 8, standsFor: "BTC" },
  pETH: { scale: 9, standsFor: "ETH" },
} as const;

export type Coin = keyof typeof coins;

export const coinCodes = Object.keys(coins) as Coin[];

/** Whether `code` is a registered practice coin; an unmarked code (`USDT`) never is. */
export function isCoin(code: string): code is Coin {
  return Object.hasOwn(coins, code);
}

/** Digits after the point of one unit of `coin`: 6 means 1 pUSDT is 1 000 000 minor units. */
export function scaleOf(coin: Coin): number {
  return coins[coin].scale;
}
