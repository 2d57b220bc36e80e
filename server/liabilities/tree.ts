import { foldNodes, type SumNode } from "#core/transparency-log/liabilitiesTree.ts";
import { inclusionRanges, type LeafRange } from "#core/transparency-log/merkle.ts";
import { fanOut, insertNodes, readNodes } from "#server/liabilities/store.ts";
import type { Db, Tx } from "#server/platform/db/database.ts";

/** Nodes built per step: bounds memory and how long the event loop is blocked. */
const stepMax = 128;

/**
 * Rebuilds the nodes above the changed indexes of level 1, level by level, and returns the root.
 * Unchanged nodes are read from the database; memory holds one step's nodes and the changed indexes
 * only.
 */
export async function growTree(
  tx: Tx,
  run: number,
  accounts: number,
  changedIndexes: readonly number[],
): Promise<SumNode> {
  let lowerNodes = accounts;
  let treeIndexes = [...changedIndexes];
  for (let level = 1; ; level += 1) {
    const count = Math.ceil(lowerNodes / fanOut);
    let node: SumNode | null = null;
    for (let index = 0; index < treeIndexes.length; index += stepMax) {
      const step = await makeNodes(
        tx,
        level,
        run,
        lowerNodes,
        treeIndexes.slice(index, index + stepMax),
      );
      node = step.at(-1)!.node;
    }
    if (count === 1) return node!;
    treeIndexes = [...new Set(treeIndexes.map((treeIndex) => Math.floor(treeIndex / fanOut)))];
    lowerNodes = count;
  }
}

/** Builds nodes of a level from those below it, of which there are `below`. */
async function makeNodes(
  tx: Tx,
  level: number,
  run: number,
  below: number,
  treeIndexes: readonly number[],
): Promise<{ treeIndex: number; node: SumNode }[]> {
  const spans = treeIndexes.map((treeIndex) => ({
    treeIndex,
    from: treeIndex * fanOut,
    to: Math.min(below, (treeIndex + 1) * fanOut),
  }));
  const children = await readNodes(
    tx,
    level - 1,
    spans.flatMap(({ from, to }) => listPositions(from, to)),
    run,
  );
  let nextIndex = 0;
  const nodes = spans.map(({ treeIndex, from, to }) => {
    const sumNodes = children.slice(nextIndex, nextIndex + to - from);
    nextIndex += to - from;
    return { treeIndex, node: foldNodes(sumNodes) };
  });
  await insertNodes(tx, level, run, nodes);
  return nodes;
}

const listPositions = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, index) => from + index);

/** The path from the account at `tree_index` to the root of a run, nearest node first. */
export async function readPathAt(
  db: Db,
  run: number,
  treeIndex: number,
  accounts: number,
): Promise<SumNode[]> {
  return Promise.all(
    inclusionRanges(treeIndex, accounts).map((range) => rangeNode(db, run, range)),
  );
}

/** The node over a range, folded from the fewest stored nodes, at most sixteen. */
async function rangeNode(db: Db, run: number, { start, end }: LeafRange): Promise<SumNode> {
  let level = 0;
  let width = 1;
  while (width * fanOut <= end - start && start % (width * fanOut) === 0) {
    level += 1;
    width *= fanOut;
  }
  const nodes = await readNodes(
    db,
    level,
    listPositions(start / width, Math.ceil(end / width)),
    run,
  );
  return foldNodes(nodes);
}
