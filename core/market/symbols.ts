/**
 * The symbols that have an index. A market keeps its real name (BTC/USDT); only balances are practice coins.
 * `scale` is the digits after the point of a price. Source: docs/rules/units.md.
 */
export const symbols = {
  "BTC/USDT": { base: "BTC", quote: "USDT", scale: 2, type: "major" },
  "ETH/USDT": { base: "ETH", quote: "USDT", scale: 2, type: "major" },
  "BTC/USDC": { base: "BTC", quote: "USDC", scale: 2, type: "major" },
  "BTC/USD": { base: "BTC", quote: "USD", scale: 2, type: "major" },
  "BNB/USDT": { base: "BNB", quote: "USDT", scale: 2, type: "alt" },
  "SOL/USDT": { base: "SOL", quote: "USDT", scale: 3, type: "alt" },
  "XRP/USDT": { base: "XRP", quote: "USDT", scale: 5, type: "alt" },
  "DOGE/USDT": { base: "DOGE", quote: "USDT", scale: 6, type: "alt" },
  "USDC/USDT": { base: "USDC", quote: "USDT", scale: 5, type: "stable" },
  "USDT/USD": { base: "USDT", quote: "USD", scale: 5, type: "stable" },
  "USDC/USD": { base: "USDC", quote: "USD", scale: 5, type: "stable" },
} as const;

export type MarketSymbol = keyof typeof symbols;

/** In the order of the registry, which is also their order inside a `second` leaf. */
export const symbolNames = Object.keys(symbols) as MarketSymbol[];

/** Whether `name` is a registered symbol. */
export function isSymbol(name: string): name is MarketSymbol {
  return Object.hasOwn(symbols, name);
}
