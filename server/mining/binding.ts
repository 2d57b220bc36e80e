import { sql } from "kysely";
import { encodeOrders } from "#core/transparency-log/ordersLeaf.ts";
import type { BeforeAppend } from "#server/market/feed.ts";
import type { MiningDeps } from "#server/mining/types.ts";
import { isPaused } from "#server/platform/clock/clock.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { insertBindings, splitHashes } from "#server/transparency-log/bindings.ts";

/** Binds leases and their early ends to the seconds being closed. */
export const bindLeases: BeforeAppend = async (tx, seconds) => {
  const { rows } = await sql<{ leaf: bigint; hashes: Buffer }>`
    select leaf, string_agg(hash, ''::bytea order by ending, seq) as hashes
    from mining_bind(${seconds.map(({ secondMs }) => secondMs)}::bigint[],
      ${seconds.map(({ leaf }) => leaf)}::bigint[]) group by leaf`.execute(tx);
  const secondOf = new Map(seconds.map(({ leaf, secondMs }) => [leaf, secondMs]));
  return new Map(
    rows.map(({ leaf, hashes }) => [secondOf.get(Number(leaf))!, splitHashes(hashes)]),
  );
};

/**
 * After a recording's end no second closes any more, so a leaf of its own binds an early end;
 * returns its index, or null while seconds close.
 */
export async function bindEndingAfterEnd(
  { clock, world }: Pick<AppContext, "clock" | "world">,
  transparencyLog: Pick<MiningDeps["transparencyLog"], "append">,
  tx: Tx,
  hash: Uint8Array,
): Promise<number | null> {
  if (!isPaused(clock)) return null;
  const { rows } = await sql<{ over: boolean }>`
    select exists (select from market_second where second_ms > ${clock.endMs}) as over`.execute(tx);
  if (!rows[0]!.over) return null;
  const bytes = encodeOrders(world.name, [hash]);
  const leaf = await transparencyLog.append(tx, [{ kind: "mark", bytes }]);
  await insertBindings(tx, [{ leaf, hashes: [hash] }]);
  return leaf;
}
