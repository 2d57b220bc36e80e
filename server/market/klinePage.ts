import { sql } from "kysely";
import type { Interval } from "#core/market/intervals.ts";
import type { Kline, Tick } from "#core/market/kline.ts";
import type { MarketSymbol } from "#core/market/symbols.ts";
import type { Db } from "#server/platform/db/database.ts";
import { getOrdinal, type World } from "#server/platform/world.ts";

export interface KlinePage {
  firstSecondMs: number;
  /** The latest stored klines that open before the page's end, oldest first. */
  kept: Kline[];
  /**
   * Index values of the seconds not yet in any stored kline, oldest first; empty when the page ends
   * before them.
   */
  ticks: Tick[];
}

interface Row {
  part: "state" | "kept" | "tick";
  at_ms: bigint;
  open: bigint;
  high: bigint;
  low: bigint;
  close: bigint;
  volume: bigint;
}

/**
 * Reads the parts of a page of klines in a single statement, so from a single snapshot: a minute
 * merged concurrently is neither missed nor counted twice. Null before the world's first second.
 */
export async function readKlinePage(
  db: Db,
  world: World,
  symbol: MarketSymbol,
  interval: Interval,
  beforeMs: number,
  limit: number,
): Promise<KlinePage | null> {
  const ordinal = getOrdinal(world, symbol);
  const { rows } = await sql<Row>`
    select 'state' as part, first_second_ms as at_ms, 0::bigint as open, 0::bigint as high, 0::bigint as low,
      0::bigint as close, 0::bigint as volume
    from market_state
    union all
    (select 'kept', open_ms, open, high, low, close, volume from kline
      where symbol = ${symbol} and interval = ${interval} and open_ms < ${beforeMs}
      order by open_ms desc limit ${limit})
    union all
    (select 'tick', second_ms, index[${ordinal}::int], 0, 0, 0, volume[${ordinal}::int] from market_second
      where second_ms >= (select klines_until_ms from market_state where klines_until_ms < ${beforeMs})
        and index[${ordinal}::int] is not null
      order by second_ms)`.execute(db);
  const state = rows.find(({ part }) => part === "state");
  if (!state) return null;
  return {
    firstSecondMs: Number(state.at_ms),
    kept: rows
      .filter(({ part }) => part === "kept")
      .map(toKline)
      .reverse(),
    ticks: rows
      .filter(({ part }) => part === "tick")
      .map(({ at_ms, open, volume }) => ({ secondMs: Number(at_ms), value: open, volume })),
  };
}

function toKline({ at_ms, open, high, low, close, volume }: Row): Kline {
  return { openMs: Number(at_ms), open, high, low, close, volume };
}
