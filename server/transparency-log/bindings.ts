import { sql } from "kysely";
import type { Binding } from "#core/transparency-log/binding.ts";
import { bytesToHex, equalBytes } from "#core/transparency-log/bytes.ts";
import { leafKinds } from "#core/transparency-log/leaf.ts";
import { inclusionRanges, leafHash, treeRoot } from "#core/transparency-log/merkle.ts";
import { splitHashes } from "#core/transparency-log/tile.ts";
import type { Db, Tx } from "#server/platform/db/database.ts";

/**
 * The hashes bound by the seconds being closed, by second: the concatenated hashes that a domain's
 * rows have for each leaf.
 */
export function readHashesBySecond(
  seconds: readonly { secondMs: number; leaf: number }[],
  boundOrders: readonly { leaf: bigint; hashes: Uint8Array }[],
): Map<number, Uint8Array[]> {
  const secondOf = new Map(seconds.map(({ leaf, secondMs }) => [leaf, secondMs]));
  return new Map(
    boundOrders.map(({ leaf, hashes }) => [secondOf.get(Number(leaf))!, splitHashes(hashes)]),
  );
}

/** Keeps the hashes that leaves bind by their roots, in the order of each root. */
export async function insertBindings(
  tx: Tx,
  boundOrders: readonly { leaf: number; hashes: readonly Uint8Array[] }[],
): Promise<void> {
  if (boundOrders.length === 0) return;
  await sql`insert into log_binding (leaf, hashes)
    select * from unnest(${boundOrders.map(({ leaf }) => leaf)}::bigint[],
      ${boundOrders.map(({ hashes }) => Buffer.concat(hashes))}::bytea[])`.execute(tx);
}

/** The concatenated hashes that a leaf binds; null when it binds none. */
export async function readBound(db: Db, leaf: number): Promise<Uint8Array | null> {
  const { rows } = await sql<{ hashes: Buffer }>`
    select hashes from log_binding where leaf = ${leaf}`.execute(db);
  return rows[0]?.hashes ?? null;
}

/** Where a hash is bound: the members that every receipt of an order has. */
export async function readBinding(db: Db, leaf: number, hash: Uint8Array): Promise<Binding> {
  const { rows } = await sql<{ hashes: Buffer; before: bigint | null }>`
    select hashes, (
      select leaf from log_leaf where leaf < ${leaf} and kind = ${leafKinds.second}
      order by leaf desc limit 1) as before
    from log_binding where leaf = ${leaf}`.execute(db);
  const [row] = rows;
  const hashes = splitHashes(row?.hashes ?? new Uint8Array());
  const index = hashes.findIndex((item) => equalBytes(item, hash));
  if (!row || index < 0) throw new Error(`leaf ${leaf} does not bind ${bytesToHex(hash)}`);
  const leaves = hashes.map(leafHash);
  return {
    orders_count: hashes.length,
    orders_index: index,
    orders_path: inclusionRanges(index, leaves.length).map(({ start, end }) =>
      bytesToHex(treeRoot(leaves.slice(start, end))),
    ),
    before_leaf: Number(row.before ?? 0),
    bound_leaf: leaf,
  };
}
