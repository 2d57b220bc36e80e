import { sql } from "kysely";
import { chainGenesis, computeAccountStart } from "#core/ledger/chain.ts";
import type { Coin } from "#core/money/coins.ts";
import { bytesToHex } from "#core/transparency-log/bytes.ts";
import type { LiabilitiesLeaf } from "#core/transparency-log/liabilitiesLeaf.ts";
import {
  createAccountNode,
  foldNodes,
  type SumNode,
} from "#core/transparency-log/liabilitiesTree.ts";
import type { ReportFinding } from "#server/ledger/audit/replay.ts";
import { fanOut } from "#server/liabilities/store.ts";
import type { Tx } from "#server/platform/db/database.ts";

/** Heads and nodes read per statement. */
const runsMax = 500;

interface TreeEntry {
  account: bigint;
  coin: Coin;
  start: Uint8Array;
}

/**
 * Computes the tree of every commitment again from the heads of its accounts, and compares each
 * stored node and each published root with it. Between commitments only what moved is computed.
 */
export async function compareTree(
  tx: Tx,
  report: ReportFinding,
  world: string,
  commitments: readonly LiabilitiesLeaf[],
): Promise<void> {
  const places = await readPlaces(tx, world);
  const { rows: storedCount } = await sql<{ count: bigint }>`
    select count(*) from liability_account`.execute(tx);
  if (Number(storedCount[0]!.count) !== (commitments.at(-1)?.accounts ?? 0))
    report("liabilities.account", "there are places of other accounts than were committed to");
  const levels: SumNode[][] = [[]];
  for (let from = 1; from <= commitments.length; from += runsMax) {
    const to = Math.min(from + runsMax - 1, commitments.length);
    const heads = await readHeads(tx, from, to);
    const storedNodes = await readNodes(tx, from, to);
    for (let run = from; run <= to; run += 1) {
      const { accounts, root, users } = commitments[run - 1]!;
      const runNodes = storedNodes.get(run) ?? new Map<string, string>();
      const [leaves] = levels as [SumNode[]];
      let changedIndexes = new Set<number>();
      for (const { treeIndex, ...head } of heads.get(run) ?? []) {
        const entry = places[treeIndex];
        if (!entry) {
          report("liabilities.account", `place ${treeIndex} of run ${run} is of no account`);
          continue;
        }
        leaves[treeIndex] = createAccountNode({ ...entry, ...head });
        changedIndexes.add(Math.floor(treeIndex / fanOut));
      }
      if (leaves.length !== accounts || Object.keys(leaves).length !== accounts) {
        report("liabilities.account", `run ${run} commits to other accounts than are stored`);
        return;
      }
      for (let level = 1; ; level += 1) {
        const lowerLevel = levels[level - 1]!;
        const nodes = levels[level] ?? [];
        levels[level] = nodes;
        for (const index of changedIndexes) {
          const node = foldNodes(lowerLevel.slice(index * fanOut, (index + 1) * fanOut));
          nodes[index] = node;
          const key = `${level} ${index}`;
          if (runNodes.get(key) !== toText(node))
            report(
              "liabilities.node",
              `node ${index} of level ${level} at run ${run} is another one`,
            );
          runNodes.delete(key);
        }
        if (nodes.length <= 1) break;
        changedIndexes = new Set([...changedIndexes].map((index) => Math.floor(index / fanOut)));
      }
      const top = levels.find((nodes, level) => level > 0 && nodes.length === 1)?.[0];
      if (!top || bytesToHex(top.hash) !== bytesToHex(root) || top.sums.join() !== users.join())
        report("liabilities.root", `run ${run} gives another root than was published`);
      for (const key of runNodes.keys())
        report("liabilities.node", `a node (${key}) of run ${run} belongs to nothing`);
    }
  }
  const { rows } = await sql<{ count: bigint }>`
    select (select count(*) from liability_head where run not between 1 and ${commitments.length})
      + (select count(*) from liability_node where run not between 1 and ${commitments.length})
      as count`.execute(tx);
  if (Number(rows[0]!.count) > 0) report("liabilities.node", "there are nodes of no commitment");
}

/** Accounts by tree index, with what their chains start from. */
async function readPlaces(tx: Tx, world: string): Promise<TreeEntry[]> {
  const { rows } = await sql<{
    tree_index: bigint;
    id: bigint;
    owner: string;
    attempt_id: string;
    kind: string;
    coin: Coin;
    owner_commitment: string;
  }>`
    select l.tree_index, a.id, a.owner, a.attempt_id, a.kind, a.coin, a.owner_commitment
    from liability_account l join account a on a.id = l.account`.execute(tx);
  const genesis = chainGenesis(world);
  const places: TreeEntry[] = [];
  for (const { tree_index, attempt_id: attemptId, owner_commitment, ...row } of rows) {
    const start = computeAccountStart(genesis, {
      ...row,
      attemptId,
      ownerCommitment: owner_commitment,
    });
    places[Number(tree_index)] = { account: row.id, coin: row.coin, start };
  }
  return places;
}

async function readHeads(tx: Tx, from: number, to: number) {
  const { rows } = await sql<{
    tree_index: bigint;
    run: bigint;
    position: bigint;
    balance: bigint;
    hash: Buffer;
  }>`select tree_index, run, position, balance, hash from liability_head
    where run between ${from} and ${to}`.execute(tx);
  return Map.groupBy(
    rows.map(({ tree_index, run, position, balance, hash }) => ({
      run: Number(run),
      treeIndex: Number(tree_index),
      position,
      balance,
      hash: new Uint8Array(hash),
    })),
    ({ run }) => run,
  );
}

/** Stored nodes by run, as texts by level and place. */
async function readNodes(
  tx: Tx,
  from: number,
  to: number,
): Promise<Map<number, Map<string, string>>> {
  const { rows } = await sql<{
    level: number;
    tree_index: bigint;
    run: bigint;
    hash: Buffer;
    sums: (string | bigint | null)[];
  }>`select level, tree_index, run, hash, sums from liability_node
    where run between ${from} and ${to}`.execute(tx);
  const storedNodes = new Map<number, Map<string, string>>();
  for (const { level, tree_index: treeIndex, run, hash, sums } of rows) {
    const nodes = storedNodes.get(Number(run)) ?? new Map<string, string>();
    nodes.set(`${level} ${treeIndex}`, `${bytesToHex(hash)} ${sums.join()}`);
    storedNodes.set(Number(run), nodes);
  }
  return storedNodes;
}

const toText = ({ hash, sums }: SumNode): string => `${bytesToHex(hash)} ${sums.join()}`;
