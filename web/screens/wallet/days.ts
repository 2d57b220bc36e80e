/** Rows of one day, in the order they came. */
export interface Day<Item> {
  /** A time within that day, to be formatted as a date. */
  ms: number;
  items: Item[];
}

/**
 * Groups rows, newest first, by the day `parseDay` names. Rows of one day stay together even if a
 * clock was set back.
 */
export function groupByDay<Item extends { at_ms: number }>(
  items: readonly Item[],
  dayOf: (ms: number) => string,
): Day<Item>[] {
  const days = new Map<string, Day<Item>>();
  for (const item of items) {
    const name = dayOf(item.at_ms);
    const day = days.get(name);
    if (day) day.items.push(item);
    else days.set(name, { ms: item.at_ms, items: [item] });
  }
  return [...days.values()];
}

/** Fraction digits a column needs so that all its amounts align. */
export function countColumnDigits(amounts: readonly string[], digitsMin = 2): number {
  return amounts.reduce(
    (max, amount) => Math.max(max, amount.split(".")[1]?.length ?? 0),
    digitsMin,
  );
}
