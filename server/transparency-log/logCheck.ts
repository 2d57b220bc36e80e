import { sql } from "kysely";
import { equalBytes } from "#core/transparency-log/bytes.ts";
import { worldTag } from "#core/transparency-log/leaf.ts";
import { leafHash, treeRoot } from "#core/transparency-log/merkle.ts";
import { decodeOrders } from "#core/transparency-log/ordersLeaf.ts";
import { appendLeaf, emptyRange, rangeRoot } from "#core/transparency-log/range.ts";
import { decodeSecond } from "#core/transparency-log/secondLeaf.ts";
import { hashBytes, splitHashes } from "#core/transparency-log/tile.ts";
import type { AuditCheck } from "#server/ledger/audit/audit.ts";
import type { ReportFinding } from "#server/ledger/audit/replay.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { readSignedTrees } from "#server/transparency-log/noteCheck.ts";
import { startTileCheck } from "#server/transparency-log/tileCheck.ts";

const rowsMax = 5_000;

/**
 * Compares the log's leaves with each other: none is missing, each checkpoint is of the tree at its
 * size, and the hashes kept for a leaf give the root that it states. Reads every leaf.
 */
export function createLogCheck(world: string): AuditCheck {
  const tag = worldTag(world);
  return async (tx, report) => {
    const treesBySize = Map.groupBy(await readSignedTrees(tx, report), ({ size }) => size);
    const bindings = await sql<{ leaf: bigint; hashes: Buffer }>`
      select leaf, hashes from log_binding`.execute(tx);
    const hashesOf = new Map(bindings.rows.map(({ leaf, hashes }) => [Number(leaf), hashes]));
    const tiles = startTileCheck(tx, report);
    const tree = { size: 0, range: emptyRange };
    for (let rows = await readFrom(tx, 0); rows.length > 0; rows = await readFrom(tx, tree.size)) {
      for (const { leaf, bytes, kind } of rows) {
        if (Number(leaf) !== tree.size) report("log.leaf", `leaf ${tree.size} is missing`);
        if (bytes[1] !== kind) report("log.leaf", `leaf ${leaf} is of another kind than its row`);
        compareBinding(bytes, Number(leaf), hashesOf.get(Number(leaf)), tag, report);
        hashesOf.delete(Number(leaf));
        const hash = leafHash(bytes);
        await tiles.add(hash);
        tree.range = appendLeaf(tree.range, hash);
        tree.size = Number(leaf) + 1;
        for (const { check, root } of treesBySize.get(tree.size) ?? [])
          if (!equalBytes(root, rangeRoot(tree.range)))
            report(check, `what was signed at size ${tree.size} is another tree`);
        treesBySize.delete(tree.size);
      }
    }
    await tiles.end();
    for (const leaf of hashesOf.keys()) report("log.binding", `leaf ${leaf} binds nothing`);
    for (const size of treesBySize.keys())
      report("log.checkpoint", `there are fewer than the ${size} leaves of a checkpoint`);
    const { rows } = await sql<{ next: bigint }>`select next from log_head`.execute(tx);
    if (Number(rows[0]?.next ?? -1) !== tree.size)
      report("log.leaf", `there are ${tree.size} leaves, the next would be ${rows[0]?.next}`);
    await compareTreeSizes(tx, report);
  };
}

/**
 * A posting states the size of the newest tree of its moment, which its acknowledgement repeats, or
 * 0 before the first. Of the last hour every checkpoint is kept, and the first of every hour. Later
 * postings name no smaller tree; those within seconds of each other may. In a log that succeeds
 * another, older postings name trees of that one.
 */
async function compareTreeSizes(tx: Tx, report: ReportFinding): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    with kept as (
      select min(size) filter (where not hourly) as recent,
        max(at_ms) - min(at_ms) < 3600000 as has_all,
        exists (select from log_leaf where kind = 14) as succeeds
      from log_checkpoint),
    posted as (
      select id, tree_size,
        max(tree_size) over (order by recorded_at
          range between unbounded preceding and interval '10 seconds' preceding) as before,
        min(tree_size) over (order by recorded_at
          range between interval '10 seconds' following and unbounded following) as after
      from journal)
    select p.id from posted p cross join kept k
      left join log_checkpoint c on c.size = p.tree_size
    where not k.succeeds and (p.before > p.tree_size or p.after < p.tree_size
      or p.tree_size > 0 and c.size is null and (k.has_all or p.tree_size >= k.recent))`.execute(
    tx,
  );
  for (const { id } of rows) report("log.posting", `journal ${id} names a tree of another moment`);
}

async function readFrom(tx: Tx, from: number) {
  const { rows } = await sql<{ leaf: bigint; kind: number; bytes: Buffer }>`
    select leaf, kind, bytes from log_leaf where leaf >= ${from} order by leaf limit ${rowsMax}`.execute(
    tx,
  );
  return rows;
}

/**
 * Compares a `second` leaf, or one of orders after a recording's end, with the hashes that it
 * binds.
 */
function compareBinding(
  bytes: Buffer,
  leaf: number,
  storedRoot: Buffer | undefined,
  tag: Uint8Array,
  report: ReportFinding,
): void {
  const second = decodeSecond(bytes, tag);
  const orders = second.ok ? null : decodeOrders(bytes, tag);
  if (!second.ok && !orders?.ok) {
    if (storedRoot) report("log.binding", `leaf ${leaf} binds nothing`);
    return;
  }
  const [count, root] = second.ok
    ? [second.value.ordersCount, second.value.ordersRoot]
    : orders?.ok
      ? [orders.value.count, orders.value.root]
      : [0, new Uint8Array()];
  if (count === 0 && !storedRoot) return;
  const hashes = storedRoot && storedRoot.length % hashBytes === 0 ? splitHashes(storedRoot) : [];
  if (hashes.length !== count || !equalBytes(treeRoot(hashes.map(leafHash)), root))
    report("log.binding", `the hashes kept for leaf ${leaf} are not those that it binds`);
}
