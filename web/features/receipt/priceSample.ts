import { computeIndexValue } from "#core/market/indexValue.ts";
import { formatDecimal } from "#core/money/decimal.ts";
import { worldTag } from "#core/transparency-log/leaf.ts";
import { decodeSecond, type SecondLeaf } from "#core/transparency-log/secondLeaf.ts";
import { tileWidth } from "#core/transparency-log/tile.ts";
import {
  decodeWorld,
  filterListedQuotes,
  type WorldLeaf,
} from "#core/transparency-log/worldLeaf.ts";
import type { LogView } from "#web/features/receipt/logView.ts";

/** Prices as pushed by the stream, with the leaf said to hold them. */
export interface PushedPrices {
  second_ms: number;
  leaf: number;
  prices: Record<string, string | null>;
}

export interface PriceMismatch {
  leaf: number;
  secondMs: number;
  symbol: string;
  pushed: string | null;
  /** The logged price; null in a gap. */
  logged: string | null;
}

/** The world leaf, proven to be the log's first. Null when it cannot be decoded. */
async function readWorld(view: LogView): Promise<WorldLeaf | null> {
  const first = (await view.entries([0])).get(0)!;
  const world = decodeWorld(first);
  return world.ok ? world.value : null;
}

/**
 * Compares pushed prices with their leaf, which must be under the view's checkpoint. Null when they
 * agree. A leaf of another second or another kind differs for every symbol: the first one is
 * reported.
 */
export async function comparePrices(
  view: LogView,
  pushedPrices: PushedPrices,
): Promise<PriceMismatch | null> {
  const leaves = await view.entries([0, pushedPrices.leaf]);
  const world = decodeWorld(leaves.get(0)!);
  if (!world.ok) throw new Error("the first leaf is not a world leaf");
  const second = decodeSecond(leaves.get(pushedPrices.leaf)!, worldTag(world.value.world));
  for (const [symbol, price] of Object.entries(pushedPrices.prices)) {
    const column = world.value.symbols.findIndex(({ name }) => name === symbol);
    const isSameSecond =
      second.ok && second.value.secondMs === pushedPrices.second_ms && column >= 0;
    const value = isSameSecond ? (second.value.index[column] ?? null) : null;
    const loggedPrice =
      value === null ? null : formatDecimal(value, world.value.symbols[column]!.scale);
    if (isSameSecond && sameDecimal(price, loggedPrice)) continue;
    return {
      leaf: pushedPrices.leaf,
      secondMs: pushedPrices.second_ms,
      symbol,
      pushed: price,
      logged: loggedPrice,
    };
  }
  return null;
}

/** "12.50" and "12.5" are the same price. */
function sameDecimal(a: string | null, b: string | null): boolean {
  const toPlainText = (text: string | null) =>
    text?.replace(/\.?0*$/, (zeros) => (text.includes(".") ? "" : zeros));
  return toPlainText(a) === toPlainText(b);
}

/** A logged second and what was recomputed from it. */
export interface LoggedSecond {
  leaf: number;
  second: SecondLeaf;
  world: WorldLeaf;
  /** The index by symbol, recomputed from the quotes. */
  recomputed: (bigint | null)[];
}

/**
 * The `second` leaf of a world second, proven; null when the log has none (a gap, or not yet
 * written). Seconds are in ascending order among leaves of other kinds, so it is found by binary
 * search.
 */
export async function findSecond(view: LogView, secondMs: number): Promise<LoggedSecond | null> {
  const world = await readWorld(view);
  if (!world) return null;
  const tag = worldTag(world.world);
  let low = 0;
  let high = Math.ceil(view.checkpoint.size / tileWidth) - 1;
  while (low <= high) {
    const middle = Math.floor((low + high) / 2);
    const seconds = await findSeconds(view, middle, tag);
    const first = seconds[0];
    const lastSecond = seconds.at(-1);
    if (!first || !lastSecond || first.second.secondMs > secondMs) high = middle - 1;
    else if (lastSecond.second.secondMs < secondMs) low = middle + 1;
    else {
      const match = seconds.find(({ second }) => second.secondMs === secondMs);
      if (!match) return null;
      const { quotes, index } = match.second;
      const recomputed = index.map((_, column) =>
        computeIndexValue(filterListedQuotes(world, quotes, column)),
      );
      return { ...match, world, recomputed };
    }
  }
  return null;
}

async function findSeconds(
  view: LogView,
  bundle: number,
  tag: Uint8Array,
): Promise<{ leaf: number; second: SecondLeaf }[]> {
  const first = bundle * tileWidth;
  const width = Math.min(tileWidth, view.checkpoint.size - first);
  const entries = await view.entries(Array.from({ length: width }, (_, index) => first + index));
  return [...entries].flatMap(([leaf, bytes]) => {
    const second = decodeSecond(bytes, tag);
    return second.ok ? [{ leaf, second: second.value }] : [];
  });
}
