import { sql } from "kysely";
import { equalBytes } from "#core/transparency-log/bytes.ts";
import { treeRoot } from "#core/transparency-log/merkle.ts";
import { splitHashes } from "#core/transparency-log/tile.ts";
import type { ReportFinding } from "#server/ledger/audit/replay.ts";
import type { Tx } from "#server/platform/db/database.ts";

const width = 256;

/**
 * Rebuilds full tiles from the leaves' hashes, given in order, and compares the stored ones with
 * them. Tiles are stored a while after their leaves, the oldest first.
 */
export function startTileCheck(tx: Tx, report: ReportFinding) {
  const open: Uint8Array[][] = [];
  const built: number[] = [];
  const add = async (hash: Uint8Array, level = 0): Promise<void> => {
    open[level] ??= [];
    const hashes = open[level];
    hashes.push(hash);
    if (hashes.length < width) return;
    open[level] = [];
    const tile = built[level] ?? 0;
    built[level] = tile + 1;
    const root = treeRoot(hashes);
    const { rows } = await sql<{ hashes: Buffer; root: Buffer }>`
      select hashes, root from log_tile where level = ${level} and tile = ${tile}`.execute(tx);
    const [storedTile] = rows;
    const matches =
      !storedTile ||
      (equalBytes(storedTile.root, root) &&
        splitHashes(storedTile.hashes).every((item, index) => equalBytes(item, hashes[index]!)));
    if (!matches) report("log.tile", `tile ${tile} of level ${level} is not of these leaves`);
    await add(root, level + 1);
  };
  return {
    add: (hash: Uint8Array) => add(hash),
    end: async () => {
      const { rows } = await sql<{ level: number; count: bigint; newest: bigint }>`
        select level, count(*) as count, max(tile) as newest from log_tile group by level`.execute(
        tx,
      );
      for (const { level, count, newest } of rows)
        if (newest + 1n !== count || Number(newest) >= (built[level] ?? 0))
          report("log.tile", `level ${level} has other tiles than its leaves fill`);
    },
  };
}
