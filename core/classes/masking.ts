/**
 * The fewest people behind any published figure of a class, and the fewest whose contribution must
 * have changed before it is counted again (docs/rules/operator.md, "Debrief").
 */
export const peopleMin = 5;

/**
 * A number of people in a class that reveals nothing about fewer than five: `few` is zero to four,
 * `most` is all but zero to four.
 */
export type MaskedCount = { size: "some"; people: number } | { size: "few" } | { size: "most" };

/** Masks the count of `people` among `total`. */
export function maskCount(people: number, total: number): MaskedCount {
  if (people < peopleMin) return { size: "few" };
  if (total - people < peopleMin) return { size: "most" };
  return { size: "some", people };
}

/** A stretch of neighbouring cells, and the people in it. */
export interface MergedCells<Cell> {
  cells: readonly Cell[];
  people: number;
}

/**
 * Merges neighbouring cells until each stretch has at least five people: repeatedly, the one with
 * the fewest joins the neighbour on its own side (`sideOf`) if there is one, otherwise the
 * neighbour with fewer people. Empty if all together are fewer than five.
 */
export function mergeCells<Cell>(
  cells: readonly { cell: Cell; people: number }[],
  sideOf: (cell: Cell) => number,
): MergedCells<Cell>[] {
  const singleCells = cells.map(({ cell, people }) => ({
    cells: [cell],
    people,
    side: sideOf(cell),
  }));
  while (singleCells.length > 1) {
    const people = Math.min(...singleCells.map((item) => item.people));
    if (people >= peopleMin) break;
    const index = singleCells.findIndex((item) => item.people === people);
    const group = singleCells[index]!;
    const neighbours = [index - 1, index + 1].filter(
      (neighbour) => neighbour >= 0 && neighbour < singleCells.length,
    );
    const sameSide = neighbours.filter((neighbour) => singleCells[neighbour]!.side === group.side);
    const candidates = sameSide.length > 0 ? sameSide : neighbours;
    const nearest = candidates.reduce((best, position) =>
      singleCells[position]!.people < singleCells[best]!.people ? position : best,
    );
    const [first, second] = [
      singleCells[Math.min(index, nearest)]!,
      singleCells[Math.max(index, nearest)]!,
    ];
    const bigger = group.people > singleCells[nearest]!.people ? group : singleCells[nearest]!;
    singleCells.splice(Math.min(index, nearest), 2, {
      cells: [...first.cells, ...second.cells],
      people: first.people + second.people,
      side: bigger.side,
    });
  }
  return singleCells
    .filter(({ people }) => people >= peopleMin)
    .map(({ cells: merged, people }) => ({ cells: merged, people }));
}
