import { sql } from "kysely";
import { bytesToHex } from "#core/transparency-log/bytes.ts";
import { hashBytes, splitHashes } from "#core/transparency-log/tile.ts";
import { decodeWorld, type WorldLeaf } from "#core/transparency-log/worldLeaf.ts";
import type { ReportFinding } from "#server/ledger/audit/replay.ts";
import type { Tx } from "#server/platform/db/database.ts";

/** Reads the log's first leaf; null without a readable one. */
export async function readWorldLeaf(tx: Tx): Promise<WorldLeaf | null> {
  const { rows } = await sql<{ bytes: Buffer }>`
    select bytes from log_leaf where leaf = 0`.execute(tx);
  const worldLeaf = rows[0] && decodeWorld(new Uint8Array(rows[0].bytes));
  return worldLeaf?.ok ? worldLeaf.value : null;
}

/** A row whose hash a leaf binds; `leaf` is null until one does. */
export interface BoundRow {
  id: string;
  /** Hex: as stored, and as the row's own values give it. */
  stored: string;
  computed: string;
  leaf: bigint | null;
}

/**
 * Compares rows with the hashes that were bound in the log when they were accepted: since then none
 * of the values under the hash has changed.
 */
export async function compareBound(
  tx: Tx,
  report: ReportFinding,
  check: string,
  rows: readonly BoundRow[],
): Promise<void> {
  const leaves = [...new Set(rows.flatMap(({ leaf }) => (leaf === null ? [] : [Number(leaf)])))];
  const result = await sql<{ leaf: bigint; hashes: Buffer }>`
    select leaf, hashes from log_binding where leaf = any(${leaves}::bigint[])`.execute(tx);
  const hashesOf = new Map(
    result.rows.map(({ leaf, hashes }) => [
      leaf,
      new Set(hashes.length % hashBytes === 0 ? splitHashes(hashes).map(bytesToHex) : []),
    ]),
  );
  for (const { id, stored, computed, leaf } of rows) {
    if (computed !== stored) report(check, `${id} does not have the values of its hash`);
    else if (leaf !== null && !hashesOf.get(leaf)?.has(stored))
      report(check, `${id} is not bound by leaf ${leaf}`);
  }
}
