import type { MarketSymbol } from "#core/market/symbols.ts";

/** The fixed properties of a practice coin. */
interface CoinRow {
  /** Digits after the point of one unit: 6 means 1 pUSDT is 1 000 000 minor units. */
  scale: number;
  standsFor: string;
  /** The market whose index values the coin in pUSDT; null for pUSDT itself. */
  market: MarketSymbol | null;
  /** Practice networks that carry it (core/wallet/networks.ts); at least one. */
  networks: readonly string[];
  /** Withdrawal fee in minor units, taken out of the amount. */
  withdrawFee: bigint;
  /** Amounts of specimen vouchers, as decimals: worth about the same in every coin. */
  voucherAmounts: readonly string[];
  /** Digits after the point when a worth in it is shown at a glance. */
  shownDigits: number;
  /** The letter next to the p that distinguishes its mark. */
  mark: string;
}

/**
 * The practice coins: the only coins a balance can be in. Their order is that of the sums in a
 * `liabilities` leaf. The program `verify` keeps its own list on purpose.
 *
 * Source: docs/rules/units.md. The `p` is part of the code everywhere, on the wire and on screen.
 */
export const coins = {
  pUSDT: {
    scale: 6,
    standsFor: "USDT",
    market: null,
    networks: ["peth", "ptron"],
    withdrawFee: 1_000_000n,
    voucherAmounts: ["100", "500", "1000", "5000"],
    shownDigits: 2,
    mark: "T",
  },
  pUSDC: {
    scale: 6,
    standsFor: "USDC",
    market: "USDC/USDT",
    networks: ["peth"],
    withdrawFee: 1_000_000n,
    voucherAmounts: ["100", "500", "1000", "5000"],
    shownDigits: 2,
    mark: "C",
  },
  pBTC: {
    scale: 8,
    standsFor: "BTC",
    market: "BTC/USDT",
    networks: ["pbtc"],
    withdrawFee: 10_000n,
    voucherAmounts: ["0.002", "0.01", "0.02", "0.1"],
    shownDigits: 6,
    mark: "B",
  },
  pETH: {
    scale: 9,
    standsFor: "ETH",
    market: "ETH/USDT",
    networks: ["peth"],
    withdrawFee: 1_000_000n,
    voucherAmounts: ["0.05", "0.25", "0.5", "2.5"],
    shownDigits: 5,
    mark: "E",
  },
} as const satisfies Record<`p${string}`, CoinRow>;

export type Coin = keyof typeof coins;

export const coinCodes = Object.keys(coins) as Coin[];

/** Returns true if `code` is a registered practice coin; an unmarked code (`USDT`) never is. */
export function isCoin(code: string): code is Coin {
  return Object.hasOwn(coins, code);
}

export function coinScale(coin: Coin): number {
  return coins[coin].scale;
}

/** A column of the registry, by coin. */
export function coinColumn<Name extends keyof CoinRow>(
  name: Name,
): Readonly<Record<Coin, CoinRow[Name]>> {
  const values = coinCodes.map((coin) => [coin, coins[coin][name]]);
  return Object.fromEntries(values) as Record<Coin, CoinRow[Name]>;
}
