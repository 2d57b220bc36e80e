import { sql } from "kysely";
import { intervals } from "#core/market/intervals.ts";
import type { MarketSymbol } from "#core/market/symbols.ts";
import type { Coin } from "#core/money/coins.ts";
import { minuteMs } from "#core/money/time.ts";
import {
  computeHistoryGrid,
  type HistoryGrid,
  type HistoryRange,
  historyRanges,
} from "#core/wallet/balanceHistory.ts";
import { computeWorthIn, type IndexOf, listMarketsFor } from "#core/wallet/valuation.ts";
import type { Db } from "#server/platform/db/database.ts";
import { getOrdinal, type World } from "#server/platform/world.ts";

export interface HistoryParams {
  attemptId: string;
  /** World time of the attempt's start, and of now. */
  startMs: number;
  nowMs: number;
  /** World time of its closing; null while it is open. */
  closedMs: number | null;
  range: HistoryRange;
  display: Coin;
}

/**
 * World time and the total just before it in minor units; null if a coin held at the time had no
 * index.
 */
type HistoryPoint = readonly [atMs: number, total: bigint | null];

export interface TotalHistory {
  stepMs: number;
  /** Oldest first. The caller adds an open attempt's current point. */
  points: HistoryPoint[];
}

type Balances = Map<number, Map<Coin, bigint>>;
type Closes = Map<string, bigint>;

/**
 * The total of an attempt's wallet, held amounts included: at its start if the range reaches back
 * to it, at the points of the grid, and, for a closed attempt, at its end, which is its last
 * posting. Balances come by binary search in each account's entries, prices from the klines that
 * end at each point (at start and end: from the minute that ended last). Nothing is stored for it:
 * a table of totals by minute would be written for everyone all the time, and could be wrong. An
 * account of 100 000 postings takes about 40 ms.
 */
export async function readHistory(
  db: Db,
  world: World,
  params: HistoryParams,
): Promise<TotalHistory> {
  const { attemptId, startMs, nowMs, closedMs, range, display } = params;
  const ends = await readEnds(db, attemptId);
  if (!ends) return { stepMs: minuteMs, points: [] };
  const endMs = closedMs === null ? nowMs : Math.max(closedMs, ends.lastMs + 1);
  const grid = computeHistoryGrid(range, startMs, endMs);
  const inRange = endMs - startMs <= historyRanges[range];
  const end = closedMs === null ? [] : [endMs];
  const begin = inRange && end[0] !== ends.firstMs + 1 ? [ends.firstMs + 1] : [];
  const inner = grid.points.filter(
    (atMs) => atMs > ends.firstMs + 1 && (end.length === 0 || atMs < endMs),
  );
  const points = [...begin, ...inner, ...end];
  const balances = await readBalances(db, attemptId, points);
  const coins = coinsIn(balances);
  const markets = listMarketsFor(coins, display);
  const [closes, edges] = await Promise.all([
    readCloses(db, world, markets, { points: inner, interval: grid.interval }),
    readCloses(db, world, markets, { points: [...begin, ...end].map(getMinute), interval: "1m" }),
  ]);
  const isEdge = new Set([...begin, ...end]);
  const priceAt = (symbol: MarketSymbol, atMs: number) =>
    (isEdge.has(atMs)
      ? edges.get(`${symbol} ${getMinute(atMs)}`)
      : closes.get(`${symbol} ${atMs}`)) ?? null;
  return {
    stepMs: grid.stepMs,
    points: points.flatMap((atMs): HistoryPoint[] => {
      const balancesThen = balances.get(atMs);
      return balancesThen
        ? [[atMs, computeTotal(balancesThen, display, (symbol) => priceAt(symbol, atMs))]]
        : [];
    }),
  };
}

function getMinute(atMs: number): number {
  return Math.floor(atMs / minuteMs) * minuteMs;
}

function coinsIn(balances: Balances): Coin[] {
  const coins = new Set<Coin>();
  for (const coinBalances of balances.values()) {
    for (const [coin, amount] of coinBalances) if (amount !== 0n) coins.add(coin);
  }
  return [...coins];
}

function computeTotal(
  coinBalances: Map<Coin, bigint>,
  display: Coin,
  indexOf: IndexOf,
): bigint | null {
  let total: bigint = 0n;
  for (const [coin, amount] of coinBalances) {
    const worth = computeWorthIn(coin, amount, display, indexOf);
    if (worth === null) return null;
    total += worth;
  }
  return total;
}

/** World times of an attempt's first and last posting; null if it has none. */
async function readEnds(
  db: Db,
  attemptId: string,
): Promise<{ firstMs: number; lastMs: number } | null> {
  const { rows } = await sql<{ first_ms: bigint | null; last_ms: bigint | null }>`
    select min(f.at_ms) as first_ms, max(l.at_ms) as last_ms
    from account a
      cross join lateral (
        select j.at_ms from entry e join journal j on j.id = e.journal_id where e.account = a.id and e.version = 1) f
      cross join lateral (
        select j.at_ms from entry e join journal j on j.id = e.journal_id
        where e.account = a.id and e.version = a.version) l
    where a.attempt_id = ${attemptId} and not a.house and a.kind in ('wallet', 'held')`.execute(db);
  const { first_ms: first, last_ms: last } = rows[0]!;
  return first === null || last === null ? null : { firstMs: Number(first), lastMs: Number(last) };
}

/** The attempt's balances just before each point, by coin. */
async function readBalances(db: Db, attemptId: string, points: number[]): Promise<Balances> {
  const { rows } = await sql<{ coin: Coin; point: bigint; balance: bigint }>`
    select a.coin, b.point, sum(b.balance)::bigint as balance
    from balances_before(
        array(select id from account where attempt_id = ${attemptId} and not house and kind in ('wallet', 'held')),
        ${points}::bigint[]) b
      join account a on a.id = b.account
    group by a.coin, b.point`.execute(db);
  const balances: Balances = new Map();
  for (const { coin, point, balance } of rows) {
    const pointBalances = balances.get(Number(point)) ?? new Map<Coin, bigint>();
    balances.set(Number(point), pointBalances.set(coin, balance));
  }
  return balances;
}

/**
 * The last index value of each market in the interval that ends at a point, by `<symbol> <point>`;
 * missing in a gap. What is not yet folded into klines is read from the seconds.
 */
async function readCloses(
  db: Db,
  world: World,
  markets: readonly MarketSymbol[],
  { points, interval }: Pick<HistoryGrid, "points" | "interval">,
): Promise<Closes> {
  if (markets.length === 0 || points.length === 0) return new Map();
  const lengthMs = intervals[interval];
  const { rows } = await sql<{ symbol: string; point: bigint; close: bigint }>`
    with asked as (
      select m.symbol, m.ordinal, p.point, p.point <= s.klines_until_ms as folded
      from unnest(${[...markets]}::text[], ${markets.map((symbol) => getOrdinal(world, symbol))}::integer[]) m (symbol, ordinal),
        unnest(${points}::bigint[]) p (point), market_state s
    )
    select a.symbol, a.point, c.close from asked a
      join kline c on c.symbol = a.symbol and c.interval = ${interval} and c.open_ms = a.point - ${lengthMs}::bigint
    where a.folded
    union all
    select a.symbol, a.point, s.close from asked a
      cross join lateral (
        select index[a.ordinal] as close from market_second
        where second_ms < a.point and second_ms >= a.point - ${lengthMs}::bigint and index[a.ordinal] is not null
        order by second_ms desc limit 1) s
    where not a.folded`.execute(db);
  return new Map(rows.map(({ symbol, point, close }) => [`${symbol} ${point}`, close]));
}
