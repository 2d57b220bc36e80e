import type { Contract } from "#api/contracts.ts";

export const marketTypes = ["all", "major", "alt", "stable", "followed"] as const;
export type MarketType = (typeof marketTypes)[number];

/** The contracts whose symbol contains the query, ignoring blanks, slashes and case. */
export function filterMarkets<Item extends Pick<Contract, "symbol">>(
  items: readonly Item[],
  input: string,
): Item[] {
  const bare = (text: string) => text.toLowerCase().replace(/[\s/-]/g, "");
  const wantedText = bare(input);
  return items.filter(({ symbol }) => bare(symbol).includes(wantedText));
}
