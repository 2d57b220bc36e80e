import type { AnswerOf } from "#api/call.ts";
import type { Balance, getWalletList } from "#api/wallet.ts";
import { type MarketSymbol, symbols } from "#core/market/symbols.ts";
import { type Coin, scaleOf } from "#core/money/coins.ts";
import { formatDecimal, parseDecimal } from "#core/money/decimal.ts";
import { valuedBy, worthIn } from "#core/wallet/worth.ts";

/** Prices of one second by symbol, as the stream has them; null in a gap. */
export type Prices = Readonly<Record<string, string | null>>;

export interface Worth {
  coin: Coin;
  /** Available and held together, in minor units. */
  amount: bigint;
  /** In minor units of the display currency; null without a price. */
  worth: bigint | null;
  /** The market and the price it was valued at; null where none is needed. */
  symbol: MarketSymbol | null;
  price: string | null;
}

export interface Valued {
  items: Worth[];
  total: bigint | null;
}

/** Values balances at pushed prices by the server's own rule, so that the total moves with each second between two answers. */
export function valueAt(items: readonly Balance[], display: Coin, prices: Prices): Valued {
  let total: bigint | null = 0n;
  const valued = items.map(({ coin, available, held }): Worth => {
    const amount = minor(available, scaleOf(coin)) + minor(held, scaleOf(coin));
    const worth = worthIn(coin, amount, display, (symbol) => indexOf(prices, symbol));
    total = total === null || worth === null ? null : total + worth;
    const symbol = valuedBy[coin];
    return { coin, amount, worth, symbol, price: symbol && (prices[symbol] ?? null) };
  });
  return { items: valued, total };
}

/** The worths of the server's own answer. */
export function asAnswered({
  items,
  display_currency: display,
  total,
}: AnswerOf<typeof getWalletList>): Valued {
  const read = (text: string | null) => (text === null ? null : minor(text, scaleOf(display)));
  return {
    items: items.map(({ coin, available, held, value }) => ({
      coin,
      amount: minor(available, scaleOf(coin)) + minor(held, scaleOf(coin)),
      worth: read(value),
      symbol: valuedBy[coin],
      price: null,
    })),
    total: read(total),
  };
}

function indexOf(prices: Prices, symbol: MarketSymbol): bigint | null {
  const price = prices[symbol];
  return price === null || price === undefined ? null : minor(price, symbols[symbol].scale);
}

function minor(text: string, scale: number): bigint {
  const read = parseDecimal(text, scale);
  if (!read.ok) throw new RangeError(`${text} is no amount at scale ${scale}`);
  return read.value;
}

/** Digits after the point that a worth is shown with. The exact figure stands where it is explained. */
const shownDigits: Readonly<Record<Coin, number>> = { pUSDT: 2, pUSDC: 2, pBTC: 6, pETH: 5 };

/** The same of the wire's decimal string, which may be below zero: a loss is shown no smaller than it is. */
export function shortWorthText(text: string, display: Coin): string {
  const scale = scaleOf(display);
  return text.startsWith("-")
    ? `-${shortWorth(minor(text.slice(1), scale), display, "up")}`
    : shortWorth(minor(text, scale), display);
}

/** A worth as it is shown at a glance: later digits are left out, or for a loss counted whole. */
export function shortWorth(worth: bigint, display: Coin, later: "out" | "up" = "out"): string {
  const cut = 10n ** BigInt(scaleOf(display) - shownDigits[display]);
  const whole = (worth + (later === "up" ? cut - 1n : 0n)) / cut;
  return formatDecimal(whole * cut, scaleOf(display));
}
