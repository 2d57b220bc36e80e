import type { Contract } from "#api/contracts.ts";

export const marketTypes = ["all", "major", "alt", "stable", "followed"] as const;
export type MarketType = (typeof marketTypes)[number];

/** The contracts whose symbol contains the query, ignoring blanks, slashes and case. */
export function filterMarkets<Item extends Pick<Contract, "symbol">>(
  items: readonly Item[],
  input: string,
): Item[] {
  const normalise = (text: string) => text.toLowerCase().replace(/[\s/-]/g, "");
  const wantedText = normalise(input);
  return items.filter(({ symbol }) => normalise(symbol).includes(wantedText));
}
