import { sql } from "kysely";
import type { MarketSymbol } from "#core/market/symbols.ts";
import type { Db } from "#server/platform/db/database.ts";
import { getOrdinal, type World } from "#server/platform/world.ts";

/** A market and a moment of world time. */
export interface Moment {
  symbol: MarketSymbol;
  atMs: number;
}

/**
 * The last index of each market at or before a moment: the second's index, or, in a gap or once
 * seconds are removed, the close of the last minute that ended before it. Null before the first. In
 * the requested order, in a single statement.
 */
export async function readIndexAt(
  db: Db,
  world: World,
  moments: readonly Moment[],
): Promise<(bigint | null)[]> {
  if (moments.length === 0) return [];
  const { rows } = await sql<{ value: bigint | null }>`
    select coalesce(s.value, k.close) as value
    from unnest(${moments.map(({ symbol }) => symbol)}::text[],
        ${moments.map(({ symbol }) => getOrdinal(world, symbol))}::integer[],
        ${moments.map(({ atMs }) => atMs)}::bigint[]) with ordinality m (symbol, ordinal, at_ms, place)
      left join lateral (
        select index[m.ordinal] as value from market_second
        where second_ms <= m.at_ms and second_ms > m.at_ms - 60000 and index[m.ordinal] is not null
        order by second_ms desc limit 1) s on true
      left join lateral (
        select close from kline
        where symbol = m.symbol and interval = '1m' and open_ms <= m.at_ms - 60000
        order by open_ms desc limit 1) k on s.value is null
    order by m.place`.execute(db);
  return rows.map(({ value }) => value);
}
