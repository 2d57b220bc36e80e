import { sql } from "kysely";
import { intervals } from "#core/market/intervals.ts";
import { type MarketSymbol, symbolNames } from "#core/market/symbols.ts";
import type { Coin } from "#core/money/coins.ts";
import { type HistoryGrid, type HistoryRange, historyGrid } from "#core/wallet/history.ts";
import { marketsFor, worthIn } from "#core/wallet/worth.ts";
import type { Db } from "#server/platform/db.ts";

export interface HistoryWish {
  attemptId: string;
  /** World time of the attempt's start, and of now. */
  startMs: number;
  nowMs: number;
  range: HistoryRange;
  display: Coin;
}

/** World time and the total just before it in minor units; null where a coin that was there had no index. */
export type HistoryPoint = readonly [atMs: number, total: bigint | null];

type Balances = Map<number, Map<Coin, bigint>>;
type Closes = Map<string, bigint>;

/**
 * The total of an attempt's wallet, held amounts included, at the points of the grid: balances by binary search in each account's
 * entries, prices from the klines that end there. Points before the first posting are left out.
 */
export async function readHistory(
  db: Db,
  { attemptId, startMs, nowMs, range, display }: HistoryWish,
): Promise<{ stepMs: number; points: HistoryPoint[] }> {
  const grid = historyGrid(range, startMs, nowMs);
  if (grid.points.length === 0) return { stepMs: grid.stepMs, points: [] };
  const balances = await readBalances(db, attemptId, grid.points);
  const coins = new Set<Coin>();
  for (const at of balances.values()) {
    for (const [coin, amount] of at) if (amount !== 0n) coins.add(coin);
  }
  const closes = await readCloses(db, marketsFor([...coins], display), grid);
  const points = grid.points.flatMap((atMs): HistoryPoint[] => {
    const at = balances.get(atMs);
    if (!at) return [];
    let total: bigint | null = 0n;
    for (const [coin, amount] of at) {
      const worth = worthIn(
        coin,
        amount,
        display,
        (symbol) => closes.get(`${symbol} ${atMs}`) ?? null,
      );
      total = total === null || worth === null ? null : total + worth;
    }
    return [[atMs, total]];
  });
  return { stepMs: grid.stepMs, points };
}

/** What the attempt held just before each point, by coin. */
async function readBalances(db: Db, attemptId: string, points: number[]): Promise<Balances> {
  const { rows } = await sql<{ coin: Coin; point: bigint; balance: bigint }>`
    select a.coin, b.point, sum(b.balance)::bigint as balance
    from balances_before(
        array(select id from account where attempt_id = ${attemptId} and not house and kind in ('wallet', 'held')),
        ${points}::bigint[]) b
      join account a on a.id = b.account
    group by a.coin, b.point`.execute(db);
  const found: Balances = new Map();
  for (const { coin, point, balance } of rows) {
    const at = found.get(Number(point)) ?? new Map<Coin, bigint>();
    found.set(Number(point), at.set(coin, balance));
  }
  return found;
}

/**
 * The last index value of each market in the interval that ends at a point, by `<symbol> <point>`; missing in a gap. What is not
 * folded into klines yet is read from the seconds.
 */
async function readCloses(
  db: Db,
  markets: readonly MarketSymbol[],
  { points, interval }: HistoryGrid,
): Promise<Closes> {
  if (markets.length === 0) return new Map();
  const lengthMs = intervals[interval];
  const { rows } = await sql<{ symbol: string; point: bigint; close: bigint }>`
    with asked as (
      select m.symbol, m.place, p.point, p.point <= s.candled_to_ms as folded
      from unnest(${[...markets]}::text[], ${markets.map((symbol) => symbolNames.indexOf(symbol) + 1)}::integer[]) m (symbol, place),
        unnest(${points}::bigint[]) p (point), market_state s
    )
    select a.symbol, a.point, c.close from asked a
      join candle c on c.symbol = a.symbol and c.interval = ${interval} and c.open_ms = a.point - ${lengthMs}::bigint
    where a.folded
    union all
    select a.symbol, a.point, s.close from asked a
      cross join lateral (
        select index[a.place] as close from market_second
        where second_ms < a.point and second_ms >= a.point - ${lengthMs}::bigint and index[a.place] is not null
        order by second_ms desc limit 1) s
    where not a.folded`.execute(db);
  return new Map(rows.map(({ symbol, point, close }) => [`${symbol} ${point}`, close]));
}
