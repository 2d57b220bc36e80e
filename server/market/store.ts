import { sql } from "kysely";
import type { Interval } from "#core/market/intervals.ts";
import type { Kline, Tick } from "#core/market/kline.ts";
import type { MarketSymbol } from "#core/market/symbols.ts";
import type { Db, Tx } from "#server/platform/db/database.ts";
import { getOrdinal, type World } from "#server/platform/world.ts";

/** A closed second as stored; arrays in the order of the world's symbols. */
export interface StoredSecond {
  secondMs: number;
  leaf: number;
  index: (bigint | null)[];
  volume: bigint[];
}

/**
 * Klines of all eight intervals are merged once a minute, in the transaction that closes the next
 * second, and readers add the seconds from `klinesUntilMs` on: most seconds write no klines, and no
 * state in memory can be lost.
 */
export interface MarketState {
  firstSecondMs: number;
  klinesUntilMs: number;
}

export async function readState(db: Db | Tx): Promise<MarketState | null> {
  const { rows } = await sql<{ first_second_ms: bigint; klines_until_ms: bigint }>`
    select first_second_ms, klines_until_ms from market_state`.execute(db);
  const row = rows[0];
  if (!row) return null;
  return { firstSecondMs: Number(row.first_second_ms), klinesUntilMs: Number(row.klines_until_ms) };
}

export async function insertState(tx: Tx, state: MarketState): Promise<void> {
  await sql`insert into market_state (first_second_ms, klines_until_ms)
    values (${state.firstSecondMs}, ${state.klinesUntilMs})`.execute(tx);
}

export async function setKlinesUntil(tx: Tx, klinesUntilMs: number): Promise<void> {
  await sql`update market_state set klines_until_ms = ${klinesUntilMs}`.execute(tx);
}

export async function insertSeconds(tx: Tx, seconds: readonly StoredSecond[]): Promise<void> {
  await sql`insert into market_second (second_ms, leaf, index, volume)
    select second_ms, leaf, index::bigint[], volume::bigint[]
    from unnest(${seconds.map((s) => s.secondMs)}::bigint[], ${seconds.map((s) => s.leaf)}::bigint[],
      ${seconds.map((s) => arrayText(s.index))}::text[], ${seconds.map((s) => arrayText(s.volume))}::text[])
      as row (second_ms, leaf, index, volume)`.execute(tx);
}

/** Closed seconds from `fromMs` on, oldest first. */
export async function readSeconds(db: Db | Tx, fromMs: number): Promise<StoredSecond[]> {
  const { rows } = await sql<SecondRow>`select second_ms, leaf, index, volume from market_second
    where second_ms >= ${fromMs} order by second_ms`.execute(db);
  return rows.map(toSecond);
}

/** The last closed second, or the last up to `notAfterMs`. */
export async function readLastSecond(
  db: Db | Tx,
  notAfterMs: number = Number.MAX_SAFE_INTEGER,
): Promise<StoredSecond | null> {
  const { rows } = await sql<SecondRow>`select second_ms, leaf, index, volume from market_second
    where second_ms <= ${notAfterMs} order by second_ms desc limit 1`.execute(db);
  return rows[0] ? toSecond(rows[0]) : null;
}

/** Index values in `[fromMs, toMs]`, oldest first; gaps are omitted. */
export async function readIndex(
  db: Db | Tx,
  world: World,
  symbol: MarketSymbol,
  fromMs: number,
  toMs: number,
): Promise<{ secondMs: number; value: bigint }[]> {
  const ordinal = getOrdinal(world, symbol);
  const { rows } = await sql<{ second_ms: bigint; value: bigint }>`
    select second_ms, index[${ordinal}::int] as value from market_second
    where second_ms between ${fromMs} and ${toMs} and index[${ordinal}::int] is not null
    order by second_ms`.execute(db);
  return rows.map((row) => ({ secondMs: Number(row.second_ms), value: row.value }));
}

/**
 * Merges klines into the stored ones: an existing kline is extended by the new one, which must be
 * its later part. Each (symbol, interval, opening time) occurs at most once in `parts`.
 */
export async function mergeKlines(
  tx: Tx,
  parts: readonly { symbol: MarketSymbol; interval: Interval; kline: Kline }[],
): Promise<void> {
  const column = (getValue: (part: Kline) => bigint | number) =>
    parts.map(({ kline }) => `${getValue(kline)}`);
  await sql`insert into kline (symbol, interval, open_ms, open, high, low, close, volume)
    select * from unnest(${parts.map((p) => p.symbol)}::text[], ${parts.map((p) => p.interval)}::text[],
      ${column((c) => c.openMs)}::bigint[], ${column((c) => c.open)}::bigint[],
      ${column((c) => c.high)}::bigint[], ${column((c) => c.low)}::bigint[],
      ${column((c) => c.close)}::bigint[], ${column((c) => c.volume)}::bigint[])
    on conflict (symbol, interval, open_ms) do update set
      high = greatest(kline.high, excluded.high), low = least(kline.low, excluded.low),
      close = excluded.close, volume = kline.volume + excluded.volume`.execute(tx);
}

/**
 * Stored klines of an interval, for every symbol of a world, that open at or after `fromMs`, oldest
 * first.
 */
export async function readAllKlines(
  db: Db | Tx,
  { symbols }: World,
  interval: Interval,
  fromMs: number,
): Promise<Map<MarketSymbol, Kline[]>> {
  const { rows } = await sql<KlineRow & { symbol: MarketSymbol }>`
    select symbol, open_ms, open, high, low, close, volume from kline
    where symbol = any(${[...symbols]}::text[]) and interval = ${interval} and open_ms >= ${fromMs}
    order by symbol, open_ms`.execute(db);
  const klines = new Map<MarketSymbol, Kline[]>(symbols.map((name) => [name, []]));
  for (const row of rows) klines.get(row.symbol)?.push(toKline(row));
  return klines;
}

/** The values of one symbol in stored seconds, without gaps. */
export function toTicks(seconds: Iterable<StoredSecond>, symbol: number): Tick[] {
  const ticks: Tick[] = [];
  for (const { secondMs, index, volume } of seconds) {
    const value = index[symbol] ?? null;
    if (value !== null) ticks.push({ secondMs, value, volume: volume[symbol] ?? 0n });
  }
  return ticks;
}

interface SecondRow {
  second_ms: bigint;
  leaf: bigint;
  index: (string | null)[];
  volume: string[];
}

interface KlineRow {
  open_ms: bigint;
  open: bigint;
  high: bigint;
  low: bigint;
  close: bigint;
  volume: bigint;
}

function toSecond(row: SecondRow): StoredSecond {
  return {
    secondMs: Number(row.second_ms),
    leaf: Number(row.leaf),
    index: row.index.map((value) => (value === null ? null : BigInt(value))),
    volume: row.volume.map(BigInt),
  };
}

function toKline(row: KlineRow): Kline {
  const { open, high, low, close, volume } = row;
  return { openMs: Number(row.open_ms), open, high, low, close, volume };
}

/** A PostgreSQL array literal. */
function arrayText(values: readonly (bigint | null)[]): string {
  return `{${values.map((value) => value ?? "NULL").join(",")}}`;
}
