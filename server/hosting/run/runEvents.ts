import type { Run } from "#api/hosting/run.ts";
import { type Asset, assets } from "#core/hosting/assets.ts";
import type { Moment, PoolConfig, StepResult } from "#core/hosting/types.ts";
import { listAssets } from "#core/hosting/value.ts";
import { sizeScale } from "#core/market/book.ts";
import { type MarketSymbol, symbols } from "#core/market/symbols.ts";
import { formatDecimal } from "#core/money/decimal.ts";
import { computeDrawdown, type MarkBatch } from "#server/hosting/run/markBatch.ts";
import type { RunningPool } from "#server/hosting/types.ts";

/** Book levels shown per side. */
const shownCount = 5;

/**
 * A strategy's observation, as the JSON of a `run`, on its way to the processes that serve the web.
 */
interface RunNote {
  poolId: string;
  text: string;
}

/** Every strategy's observation in the last moment of a batch. */
export function buildRunNotes(batch: MarkBatch, venues: readonly string[]): RunNote[] {
  return batch.pools.flatMap((pool) => {
    const observation = batch.observed.get(pool.id);
    if (!observation) return [];
    return [{ poolId: pool.id, text: JSON.stringify(findRun(pool, observation, venues)) }];
  });
}

/** Formats hundredths of a basis point as the wire's basis points. */
export const formatBp = (hundredths: bigint | number) => formatDecimal(BigInt(hundredths), 2, true);

function findRun(
  pool: RunningPool,
  { moment, leaf, result }: { moment: Moment; leaf: number; result: StepResult },
  venues: readonly string[],
): Run {
  const { config } = pool;
  const { state, peak } = pool.runs.realistic;
  const places = venues.filter((venue) => config.venues.includes(venue));
  return {
    product_id: pool.id,
    strategy: config.strategy,
    at_ms: moment.atMs,
    leaf,
    books: places.flatMap((venue) => config.symbols.map((symbol) => toBook(moment, venue, symbol))),
    gap_bp: result.observed && formatBp(result.observed.gap),
    threshold_bp: result.observed && formatBp(result.observed.needed),
    path: toPath(pool, moment),
    decision: result.decision ? "traded" : "idle",
    reason: result.why,
    inventory: [
      ...(state.free > 0n
        ? [{ venue: "", coin: "pUSDT" as const, amount: toAmount("USDT", state.free) }]
        : []),
      ...Object.entries(state.held).map(([key, amount]) => {
        const [venue, asset] = key.split("/") as [string, Asset];
        return { venue, coin: getCoin(asset), amount: toAmount(asset, amount) };
      }),
    ],
    moving: state.transfers.map((transfer) => ({
      from: transfer.from ?? "",
      to: transfer.to ?? "",
      coin: getCoin(transfer.asset),
      amount: toAmount(transfer.asset, transfer.amount),
      arrives_at_ms: transfer.arriveMs,
    })),
    pending: state.orders.length,
    nav: pool.nav === null ? null : formatDecimal(pool.nav, 8, true),
    nav_at_ms: pool.markAtMs,
    drawdown_now_bp: formatBp(pool.nav === null ? 0n : -computeDrawdown(peak, pool.nav)),
    trades: state.counters.trades,
  };
}

function toBook(moment: Moment, venue: string, symbol: MarketSymbol): Run["books"][number] {
  const book = moment.book(venue, symbol);
  const isFresh = book !== null && book.atMs === moment.atMs;
  const { scale } = symbols[symbol];
  const levels = isFresh ? book.levels() : { bids: [], asks: [] };
  const side = (levels: readonly { price: bigint; size: bigint }[]) =>
    levels
      .slice(0, shownCount)
      .map(({ price, size }): [string, string] => [
        formatDecimal(price, scale, true),
        formatDecimal(size, sizeScale),
      ]);
  return { venue, symbol, fresh: isFresh, bids: side(levels.bids), asks: side(levels.asks) };
}

/**
 * The path a strategy considers: the venues of the widest gap, or the better way round a triangle.
 * Empty without fresh books.
 */
function toPath({ config }: RunningPool, moment: Moment): Run["path"] {
  if (config.strategy === "triangle") return findLoop(config, moment);
  return config.strategy === "cross" ? computeGap(config, moment) : [];
}

function freshAt(moment: Moment, venue: string, symbol: MarketSymbol) {
  const book = moment.book(venue, symbol);
  return book && book.atMs === moment.atMs ? book : null;
}

/** Buy at the lowest ask, sell at the highest bid. */
function computeGap({ venues, symbols: [symbol] }: PoolConfig, moment: Moment): Run["path"] {
  let lowest: { venue: string; price: bigint } | null = null;
  let high: { venue: string; price: bigint } | null = null;
  for (const venue of venues) {
    const book = freshAt(moment, venue, symbol!);
    if (!book) continue;
    if (!lowest || book.ask < lowest.price) lowest = { venue, price: book.ask };
    if (!high || book.bid > high.price) high = { venue, price: book.bid };
  }
  if (!lowest || !high || lowest.venue === high.venue) return [];
  return [
    { venue: lowest.venue, symbol: symbol!, side: "buy" },
    { venue: high.venue, symbol: symbol!, side: "sell" },
  ];
}

/**
 * The direction of the loop that yields more at best prices. For display only, hence floats: the
 * strategy decides in integers.
 */
function findLoop(config: PoolConfig, moment: Moment): Run["path"] {
  const venue = config.venues[0]!;
  const [home, firstCoin, secondCoin] = listAssets(config);
  const ways = [
    [home, firstCoin, secondCoin],
    [home, secondCoin, firstCoin],
  ].map((way) => {
    let output = 1;
    const path: Run["path"] = [];
    for (const [index, from] of way.entries()) {
      const to = way[(index + 1) % 3];
      const symbol = config.symbols.find((name) => {
        const { base, quote } = symbols[name];
        return (base === from && quote === to) || (base === to && quote === from);
      });
      const book = symbol && freshAt(moment, venue, symbol);
      if (!symbol || !book) return { out: 0, path: [] };
      const side = symbols[symbol].base === to ? "buy" : "sell";
      const unit = 10 ** symbols[symbol].scale;
      output *= side === "buy" ? unit / Number(book.ask) : Number(book.bid) / unit;
      path.push({ venue, symbol, side });
    }
    return { out: output, path };
  });
  return ways[0]!.out >= ways[1]!.out ? ways[0]!.path : ways[1]!.path;
}

function getCoin(asset: Asset) {
  const { coin } = assets[asset];
  if (coin === null) throw new Error(`${asset} has no practice coin`);
  return coin;
}

function toAmount(asset: Asset, amount: bigint): string {
  return formatDecimal(amount, assets[asset].scale);
}
