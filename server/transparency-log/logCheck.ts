import { sql } from "kysely";
import { bytesToHex, sameBytes } from "#core/transparency-log/bytes.ts";
import { parseCheckpoint, splitNote } from "#core/transparency-log/checkpoint.ts";
import { worldTag } from "#core/transparency-log/leaf.ts";
import { leafHash, treeRoot } from "#core/transparency-log/merkle.ts";
import { decodeOrders } from "#core/transparency-log/ordersLeaf.ts";
import { appendLeaf, emptyRange, rangeRoot } from "#core/transparency-log/range.ts";
import { decodeSecond } from "#core/transparency-log/secondLeaf.ts";
import { hashBytes, splitHashes } from "#core/transparency-log/tile.ts";
import type { AuditCheck } from "#server/ledger/audit/audit.ts";
import type { Find } from "#server/ledger/audit/replay.ts";
import type { Tx } from "#server/platform/db/database.ts";

const rowsMax = 5_000;

/**
 * Compares the log's leaves with each other: none is missing, each checkpoint is of the tree at its
 * size, and the hashes kept for a leaf give the root that it states. Reads every leaf.
 */
export function logCheck(world: string): AuditCheck {
  const tag = worldTag(world);
  return async (tx, find) => {
    const checkpoints = await readCheckpoints(tx, find);
    const bindings = await sql<{ leaf: bigint; hashes: Buffer }>`
      select leaf, hashes from log_binding`.execute(tx);
    const hashesOf = new Map(bindings.rows.map(({ leaf, hashes }) => [Number(leaf), hashes]));
    const tree = { size: 0, range: emptyRange };
    for (let rows = await readFrom(tx, 0); rows.length > 0; rows = await readFrom(tx, tree.size)) {
      for (const { leaf, bytes, kind } of rows) {
        if (Number(leaf) !== tree.size) find("log.leaf", `leaf ${tree.size} is missing`);
        if (bytes[1] !== kind) find("log.leaf", `leaf ${leaf} is of another kind than its row`);
        compareBinding(bytes, Number(leaf), hashesOf.get(Number(leaf)), tag, find);
        hashesOf.delete(Number(leaf));
        tree.range = appendLeaf(tree.range, leafHash(bytes));
        tree.size = Number(leaf) + 1;
        const root = checkpoints.get(tree.size);
        if (root && !sameBytes(root, rangeRoot(tree.range)))
          find("log.checkpoint", `the checkpoint of size ${tree.size} is of another tree`);
        checkpoints.delete(tree.size);
      }
    }
    for (const leaf of hashesOf.keys()) find("log.binding", `leaf ${leaf} binds nothing`);
    for (const size of checkpoints.keys())
      find("log.checkpoint", `there are fewer than the ${size} leaves of a checkpoint`);
    const { rows } = await sql<{ next: bigint }>`select next from log_head`.execute(tx);
    if (Number(rows[0]?.next ?? -1) !== tree.size)
      find("log.leaf", `there are ${tree.size} leaves, the next would be ${rows[0]?.next}`);
  };
}

async function readFrom(tx: Tx, from: number) {
  const { rows } = await sql<{ leaf: bigint; kind: number; bytes: Buffer }>`
    select leaf, kind, bytes from log_leaf where leaf >= ${from} order by leaf limit ${rowsMax}`.execute(
    tx,
  );
  return rows;
}

/** Roots by size; a note that says something else than its row is a finding. */
async function readCheckpoints(tx: Tx, find: Find): Promise<Map<number, Uint8Array>> {
  const { rows } = await sql<{ size: bigint; root: Buffer; note: string }>`
    select size, root, note from log_checkpoint`.execute(tx);
  for (const { size, root, note } of rows) {
    const parts = splitNote(note);
    const stated = parts && parseCheckpoint(parts.text);
    if (stated?.size !== Number(size) || bytesToHex(stated.root) !== bytesToHex(root))
      find("log.checkpoint", `the note of size ${size} says something else than its row`);
  }
  return new Map(rows.map(({ size, root }) => [Number(size), new Uint8Array(root)]));
}

/** What a `second` leaf, or one of orders after a recording's end, says of the hashes it binds. */
function compareBinding(
  bytes: Buffer,
  leaf: number,
  stored: Buffer | undefined,
  tag: Uint8Array,
  find: Find,
): void {
  const second = decodeSecond(bytes, tag);
  const orders = second.ok ? null : decodeOrders(bytes, tag);
  if (!second.ok && !orders?.ok) {
    if (stored) find("log.binding", `leaf ${leaf} binds nothing`);
    return;
  }
  const [count, root] = second.ok
    ? [second.value.ordersCount, second.value.ordersRoot]
    : orders?.ok
      ? [orders.value.count, orders.value.root]
      : [0, new Uint8Array()];
  if (count === 0 && !stored) return;
  const hashes = stored && stored.length % hashBytes === 0 ? splitHashes(stored) : [];
  if (hashes.length !== count || !sameBytes(treeRoot(hashes.map(leafHash)), root))
    find("log.binding", `the hashes kept for leaf ${leaf} are not those that it binds`);
}
