import { sql } from "kysely";
import { intervalNames, intervals } from "#core/market/intervals.ts";
import { dayMs } from "#core/money/time.ts";
import { worldTag } from "#core/transparency-log/leaf.ts";
import { decodeSecond } from "#core/transparency-log/secondLeaf.ts";
import type { AuditCheck } from "#server/ledger/audit/audit.ts";
import type { Find } from "#server/ledger/audit/replay.ts";
import type { Tx } from "#server/platform/db/database.ts";

const rowsMax = 5_000;

/**
 * Compares the rows of seconds with their leaves, and klines with the seconds and shorter klines
 * they are folded from. Reads all of them.
 */
export function reconcileMarket(world: string): AuditCheck {
  return async (tx, find) => {
    await compareSeconds(tx, worldTag(world), find);
    await findMissing(tx, find);
    await compareMinutes(tx, find);
    for (const [at, interval] of intervalNames.entries())
      if (at > 0) await compareKlines(tx, interval, intervalNames[at - 1]!, find);
  };
}

async function compareSeconds(tx: Tx, tag: Uint8Array, find: Find): Promise<void> {
  for (let after = -1; ; ) {
    const { rows } = await sql<{
      second_ms: bigint;
      leaf: bigint;
      index: (bigint | null)[];
      bytes: Buffer | null;
    }>`
      select s.second_ms, s.leaf, s.index, l.bytes from market_second s left join log_leaf l using (leaf)
      where s.second_ms > ${after} order by s.second_ms limit ${rowsMax}`.execute(tx);
    if (rows.length === 0) return;
    for (const { second_ms: secondMs, leaf, index, bytes } of rows) {
      const read = bytes && decodeSecond(bytes, tag);
      const same =
        read?.ok &&
        read.value.secondMs === Number(secondMs) &&
        read.value.index.map(String).join() === index.map(String).join();
      if (!same) find("market.second", `second ${secondMs} is not what leaf ${leaf} says`);
    }
    after = Number(rows.at(-1)!.second_ms);
  }
}

/** Every leaf of a second that is young enough has a row, and the seconds between are gaps. */
async function findMissing(tx: Tx, find: Find): Promise<void> {
  const { rows } = await sql<{ leaf: bigint }>`
    select l.leaf from log_leaf l
    where l.kind = 2 and l.leaf > (select min(leaf) from market_second)
      and not exists (select from market_second s where s.leaf = l.leaf)`.execute(tx);
  for (const { leaf } of rows) find("market.second", `leaf ${leaf} has no row`);
  const gaps = await sql<{ from_ms: bigint; to_ms: bigint }>`
    select from_ms, to_ms from (
      select second_ms + 1000 as from_ms, lead(second_ms) over (order by second_ms) as to_ms
      from market_second) s
    where to_ms > from_ms
      and not exists (select from market_gap g where (g.from_ms, g.to_ms) = (s.from_ms, s.to_ms))
    union all
    select g.from_ms, g.to_ms from market_gap g
    where exists (select from market_second s
      where s.second_ms >= g.from_ms and s.second_ms < g.to_ms)
      or g.from_ms > (select min(second_ms) from market_second) and not exists (
        select from market_second s where s.second_ms = g.to_ms)`.execute(tx);
  for (const { from_ms: from, to_ms: to } of gaps.rows)
    find("market.gap", `the seconds from ${from} to ${to} are not the gap that is recorded`);
}

/** Klines of a minute whose seconds are all there still. */
async function compareMinutes(tx: Tx, find: Find): Promise<void> {
  const { rows } = await sql<{ symbol: string; open_ms: bigint }>`
    with bounds as (
      select greatest(m.first_second_ms, (select min(second_ms) from market_second)) + 60000 as lo,
        m.klines_until_ms as hi from market_state m),
    named as (
      select e.value ->> 'name' as symbol, e.place
      from world, json_array_elements(world.symbols) with ordinality e (value, place)),
    ticks as (
      select n.symbol, s.second_ms - s.second_ms % 60000 as open_ms, s.second_ms,
        s.index[n.place] as value, s.volume[n.place] as volume
      from market_second s cross join named n, bounds
      where s.index[n.place] is not null and s.second_ms >= lo - lo % 60000 and s.second_ms < hi),
    made as (
      select symbol, open_ms, (array_agg(value order by second_ms))[1] as open,
        max(value) as high, min(value) as low,
        (array_agg(value order by second_ms desc))[1] as close, sum(volume)::bigint as volume
      from ticks group by symbol, open_ms),
    kept as (
      select symbol, open_ms, open, high, low, close, volume from kline, bounds
      where interval = '1m' and open_ms >= lo - lo % 60000 and open_ms < hi)
    select coalesce(made.symbol, kept.symbol) as symbol, coalesce(made.open_ms, kept.open_ms) as open_ms
    from made full join kept using (symbol, open_ms)
    where (made.open, made.high, made.low, made.close, made.volume)
      is distinct from (kept.open, kept.high, kept.low, kept.close, kept.volume)`.execute(tx);
  for (const { symbol, open_ms: openMs } of rows)
    find("market.kline", `${symbol} 1m at ${openMs} is not what its seconds give`);
}

/** Klines of an interval against those of the next shorter one, where these are all kept. */
async function compareKlines(
  tx: Tx,
  interval: (typeof intervalNames)[number],
  shorter: (typeof intervalNames)[number],
  find: Find,
): Promise<void> {
  const length = intervals[interval];
  const offset = interval === "1w" ? 4 * dayMs : 0;
  const { rows } = await sql<{ symbol: string; open_ms: bigint }>`
    with oldest as (
      select symbol, min(open_ms) as at_ms from kline where interval = ${shorter} group by symbol),
    made as (
      select symbol, (open_ms - ${offset}) - (open_ms - ${offset}) % ${length} + ${offset} as open_ms,
        (array_agg(open order by open_ms))[1] as open, max(high) as high, min(low) as low,
        (array_agg(close order by open_ms desc))[1] as close, sum(volume)::bigint as volume
      from kline where interval = ${shorter} group by 1, 2),
    kept as (select * from kline where interval = ${interval})
    select coalesce(made.symbol, kept.symbol) as symbol, coalesce(made.open_ms, kept.open_ms) as open_ms
    from made full join kept on kept.symbol = made.symbol and kept.open_ms = made.open_ms
      join oldest on oldest.symbol = coalesce(made.symbol, kept.symbol)
    where coalesce(made.open_ms, kept.open_ms) >= oldest.at_ms
      and (made.open, made.high, made.low, made.close, made.volume)
      is distinct from (kept.open, kept.high, kept.low, kept.close, kept.volume)`.execute(tx);
  for (const { symbol, open_ms: openMs } of rows)
    find(
      "market.kline",
      `${symbol} ${interval} at ${openMs} is not what its ${shorter} klines give`,
    );
}
