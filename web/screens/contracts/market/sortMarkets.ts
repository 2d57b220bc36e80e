import type { Contract } from "#api/contracts.ts";

export const sortColumns = ["name", "volume", "price", "change"] as const;
export type SortColumn = (typeof sortColumns)[number];

/** The order of the list: as the instance offers it, or by a column. `-down` is highest first. */
export const marketSorts = [
  "listed",
  ...sortColumns,
  "name-down",
  "volume-down",
  "price-down",
  "change-down",
] as const satisfies readonly ("listed" | SortColumn | `${SortColumn}-down`)[];
export type MarketSort = (typeof marketSorts)[number];

type Sortable = Pick<Contract, "symbol" | "price" | "change_24h_bp" | "volume_24h">;

const figures: Record<Exclude<SortColumn, "name">, (item: Sortable) => number | null> = {
  price: ({ price }) => (price === null ? null : Number(price)),
  change: ({ change_24h_bp: changeBp }) => changeBp,
  volume: ({ volume_24h: volume }) => (volume === null ? null : Number(volume)),
};

/** The contracts in the given order; those without the figure stand last in either direction. */
export function sortMarkets<Item extends Sortable>(
  items: readonly Item[],
  sort: MarketSort,
): Item[] {
  if (sort === "listed") return [...items];
  const { column, isDown } = parseSort(sort);
  const sign = isDown ? -1 : 1;
  if (column === "name") {
    return items.toSorted((a, b) => sign * a.symbol.localeCompare(b.symbol, "en"));
  }
  const figure = figures[column];
  return items.toSorted((a, b) => {
    const [figureA, figureB] = [figure(a), figure(b)];
    if (figureA === null || figureB === null)
      return Number(figureA === null) - Number(figureB === null);
    return sign * (figureA - figureB);
  });
}

/** The column of a sort and its direction. */
export function parseSort(sort: Exclude<MarketSort, "listed">): {
  column: SortColumn;
  isDown: boolean;
} {
  const column = sortColumns.find((name) => sort.startsWith(name))!;
  return { column, isDown: sort.endsWith("-down") };
}

/**
 * The sort after a press on a column's head: first the direction one looks for, then the other one,
 * then the instance's own order again.
 */
export function getNextSort(sort: MarketSort, column: SortColumn): MarketSort {
  const [first, second] =
    column === "name"
      ? ([column, `${column}-down`] as const)
      : ([`${column}-down`, column] as const);
  if (sort === first) return second;
  return sort === second ? "listed" : first;
}
