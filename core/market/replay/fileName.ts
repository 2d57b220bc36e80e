/** A file of bars has this form of name (docs/rules/market.md). */
export const barFileExample = "kraken.BTC-USDT.1m.csv";

const form = /^([a-z][a-z0-9-]{0,19})\.([A-Z0-9]{2,10}-[A-Z0-9]{2,10})\.1m\.csv$/;

/**
 * Venue and symbol in the name of a file of bars; null if it is not one. The symbol, such as
 * `BTC/USDT`, may be unknown here.
 */
export function parseBarFileName(name: string): { venue: string; symbol: string } | null {
  const [, venue, pair] = form.exec(name) ?? [];
  return venue && pair ? { venue, symbol: pair.replace("-", "/") } : null;
}
