import { sql } from "kysely";
import { intervalNames, intervals } from "#core/market/intervals.ts";
import { dayMs } from "#core/money/time.ts";
import { worldTag } from "#core/transparency-log/leaf.ts";
import { decodeSecond } from "#core/transparency-log/secondLeaf.ts";
import type { AuditCheck } from "#server/ledger/audit/audit.ts";
import type { ReportFinding } from "#server/ledger/audit/replay.ts";
import { startMinuteCheck } from "#server/market/minuteCheck.ts";
import type { Tx } from "#server/platform/db/database.ts";

const rowsMax = 5_000;

/**
 * Compares the rows of seconds with their leaves, and klines with the seconds and shorter klines
 * they are folded from. Reads all of them.
 */
export function reconcileMarket(world: string): AuditCheck {
  return async (tx, report) => {
    await compareSeconds(tx, worldTag(world), report);
    await findMissing(tx, report);
    await findUnknown(tx, report);
    await compareStart(tx, worldTag(world), report);
    for (const [index, interval] of intervalNames.entries())
      if (index > 0) await compareKlines(tx, interval, intervalNames[index - 1]!, report);
  };
}

/** Compares seconds with their leaves, and 1m klines with the seconds. */
async function compareSeconds(tx: Tx, tag: Uint8Array, report: ReportFinding): Promise<void> {
  const minutes = await startMinuteCheck(tx, report);
  for (let after = -1; ; ) {
    const { rows } = await sql<{
      second_ms: bigint;
      leaf: bigint;
      index: (bigint | null)[];
      volume: (bigint | null)[];
      bytes: Buffer | null;
    }>`
      select s.second_ms, s.leaf, s.index, s.volume, l.bytes from market_second s left join log_leaf l using (leaf)
      where s.second_ms > ${after} order by s.second_ms limit ${rowsMax}`.execute(tx);
    if (rows.length === 0) break;
    for (const { second_ms: secondMs, leaf, index, volume, bytes } of rows) {
      const result = bytes && decodeSecond(bytes, tag);
      const matches =
        result?.ok &&
        result.value.secondMs === Number(secondMs) &&
        result.value.index.map(String).join() === index.map(String).join();
      if (!matches) report("market.second", `second ${secondMs} is not what leaf ${leaf} says`);
      await minutes.add({ secondMs: Number(secondMs), index, volume });
    }
    after = Number(rows.at(-1)!.second_ms);
  }
  await minutes.end();
}

/** Checks that every leaf of a recent second has a row, and that the seconds between are gaps. */
async function findMissing(tx: Tx, report: ReportFinding): Promise<void> {
  const { rows } = await sql<{ leaf: bigint }>`
    select l.leaf from log_leaf l
    where l.kind = 2 and l.leaf > (select min(leaf) from market_second)
      and not exists (select from market_second s where s.leaf = l.leaf)`.execute(tx);
  for (const { leaf } of rows) report("market.second", `leaf ${leaf} has no row`);
  // A gap with two causes has two rows, one after the other.
  const gaps = await sql<{ from_ms: bigint; to_ms: bigint }>`
    with gap as (
      select min(from_ms) as from_ms, max(to_ms) as to_ms from (
        select *, count(*) filter (where from_ms is distinct from before_ms)
          over (order by from_ms) as island
        from (select *, lag(to_ms) over (order by from_ms) as before_ms from market_gap) g) g
      group by island)
    select from_ms, to_ms from (
      select second_ms + 1000 as from_ms, lead(second_ms) over (order by second_ms) as to_ms
      from market_second) s
    where to_ms > from_ms
      and not exists (select from gap g where (g.from_ms, g.to_ms) = (s.from_ms, s.to_ms))
    union all
    select g.from_ms, g.to_ms from gap g
    where exists (select from market_second s
      where s.second_ms >= g.from_ms and s.second_ms < g.to_ms)
      or g.from_ms > (select min(second_ms) from market_second) and not exists (
        select from market_second s where s.second_ms = g.to_ms)`.execute(tx);
  for (const { from_ms: from, to_ms: to } of gaps.rows)
    report("market.gap", `the seconds from ${from} to ${to} are not the gap that is recorded`);
}

/** Checks that the market began with the second of its first leaf, or with a gap before it. */
async function compareStart(tx: Tx, tag: Uint8Array, report: ReportFinding): Promise<void> {
  const { rows } = await sql<{ first_second_ms: bigint | null; bytes: Buffer }>`
    select m.first_second_ms, l.bytes
    from (select bytes from log_leaf where kind = 2 order by leaf limit 1) l
      left join market_state m on true`.execute(tx);
  const [row] = rows;
  const first = row ? decodeSecond(row.bytes, tag) : null;
  if (!first?.ok) return;
  const gaps = await sql<{ from_ms: bigint; to_ms: bigint }>`
    select from_ms, to_ms from market_gap where to_ms <= ${first.value.secondMs}
    order by to_ms desc`.execute(tx);
  let atMs = BigInt(first.value.secondMs);
  for (const { from_ms: fromMs, to_ms: toMs } of gaps.rows) if (toMs === atMs) atMs = fromMs;
  if (row!.first_second_ms !== atMs) report("market.start", `the market began at ${atMs}`);
}

/** Finds klines of symbols that this world does not have, or of unknown intervals. */
async function findUnknown(tx: Tx, report: ReportFinding): Promise<void> {
  const { rows } = await sql<{ symbol: string; interval: string }>`
    select distinct symbol, interval from kline
    where interval <> all(${intervalNames}::text[]) or symbol not in (
      select e.value ->> 'name' from world, json_array_elements(world.symbols) e (value))`.execute(
    tx,
  );
  for (const { symbol, interval } of rows)
    report("market.kline", `there is no market in ${symbol} with klines of ${interval}`);
}

/**
 * Compares klines of an interval with those of the next shorter one, where all of these are kept.
 */
async function compareKlines(
  tx: Tx,
  interval: (typeof intervalNames)[number],
  shorter: (typeof intervalNames)[number],
  report: ReportFinding,
): Promise<void> {
  const length = intervals[interval];
  const offset = interval === "1w" ? 4 * dayMs : 0;
  const { rows } = await sql<{ symbol: string; open_ms: bigint }>`
    with oldest as (
      select symbol, min(open_ms) as at_ms from kline where interval = ${shorter} group by symbol),
    bounds as (
      select symbol, (open_ms - ${offset}) - (open_ms - ${offset}) % ${length} + ${offset} as open_ms,
        min(open_ms) as first_ms, max(open_ms) as last_ms, max(high) as high, min(low) as low,
        sum(volume)::bigint as volume
      from kline where interval = ${shorter} group by 1, 2),
    made as (
      select b.symbol, b.open_ms, f.open, b.high, b.low, l.close, b.volume
      from bounds b
        join kline f on (f.symbol, f.interval, f.open_ms) = (b.symbol, ${shorter}, b.first_ms)
        join kline l on (l.symbol, l.interval, l.open_ms) = (b.symbol, ${shorter}, b.last_ms)),
    kept as (select * from kline where interval = ${interval})
    select coalesce(made.symbol, kept.symbol) as symbol, coalesce(made.open_ms, kept.open_ms) as open_ms
    from made full join kept on kept.symbol = made.symbol and kept.open_ms = made.open_ms
      join oldest on oldest.symbol = coalesce(made.symbol, kept.symbol)
    where coalesce(made.open_ms, kept.open_ms) >= oldest.at_ms
      and (made.open, made.high, made.low, made.close, made.volume)
      is distinct from (kept.open, kept.high, kept.low, kept.close, kept.volume)`.execute(tx);
  for (const { symbol, open_ms: openMs } of rows)
    report(
      "market.kline",
      `${symbol} ${interval} at ${openMs} is not what its ${shorter} klines give`,
    );
}
