import { sql } from "kysely";
import { encodeOrders } from "#core/transparency-log/ordersLeaf.ts";
import { isEndClosed } from "#server/market/acceptance.ts";
import type { BeforeAppend } from "#server/market/feed.ts";
import type { MiningDeps } from "#server/mining/types.ts";
import { hasEnded } from "#server/platform/clock/clock.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { insertBindings, readHashesBySecond } from "#server/transparency-log/bindings.ts";

/** Binds leases and their early ends to the seconds being closed. */
export const bindLeases: BeforeAppend = async (tx, seconds) => {
  const { rows } = await sql<{ leaf: bigint; hashes: Buffer }>`
    select leaf, string_agg(hash, ''::bytea order by ending, seq) as hashes
    from bind_leases(${seconds.map(({ secondMs }) => secondMs)}::bigint[],
      ${seconds.map(({ leaf }) => leaf)}::bigint[]) group by leaf`.execute(tx);
  return readHashesBySecond(seconds, rows);
};

/**
 * After a recording's end no more seconds close, so a separate leaf binds an early end; returns its
 * index, or null while seconds close.
 */
export async function bindEndingAfterEnd(
  { clock, world }: Pick<AppContext, "clock" | "world">,
  transparencyLog: Pick<MiningDeps["transparencyLog"], "append">,
  tx: Tx,
  hash: Uint8Array,
): Promise<number | null> {
  if (!hasEnded(clock) || !(await isEndClosed({ clock }, tx))) return null;
  const bytes = encodeOrders(world.name, [hash]);
  const leaf = await transparencyLog.append(tx, [{ kind: "mark", bytes }]);
  await insertBindings(tx, [{ leaf, hashes: [hash] }]);
  return leaf;
}
