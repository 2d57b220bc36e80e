import { computeIndexValue } from "#core/market/indexValue.ts";
import { worldTag } from "#core/transparency-log/leaf.ts";
import { decodeSecond } from "#core/transparency-log/secondLeaf.ts";
import { filterListedQuotes, type WorldLeaf } from "#core/transparency-log/worldLeaf.ts";

/** An index that differs from the one its leaf's quotes give. */
interface WrongIndex {
  leaf: number;
  index: bigint | null;
  recomputed: bigint | null;
}

/**
 * Recomputes the index of a symbol from the venues' quotes, in each of the leaves at `indexes` that
 * is a `second`. Stops at the first difference; `seconds` counts those recomputed.
 */
export function checkIndexes(
  symbol: string,
  world: WorldLeaf,
  leaves: ReadonlyMap<number, Uint8Array>,
  indexes: Iterable<number>,
): { seconds: number; wrong: WrongIndex | null } {
  const column = world.symbols.findIndex(({ name }) => name === symbol);
  const tag = worldTag(world.world);
  let seconds = 0;
  for (const leaf of indexes) {
    const bytes = leaves.get(leaf);
    const second = bytes && decodeSecond(bytes, tag);
    if (!second?.ok) continue;
    seconds += 1;
    const index = second.value.index[column] ?? null;
    const recomputed = computeIndexValue(filterListedQuotes(world, second.value.quotes, column));
    if (recomputed !== index) return { seconds, wrong: { leaf, index, recomputed } };
  }
  return { seconds, wrong: null };
}
