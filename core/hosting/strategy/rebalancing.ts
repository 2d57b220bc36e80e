import { type Asset, getSymbolAssets } from "#core/hosting/assets.ts";
import { type Friction, getFeeBp } from "#core/hosting/friction.ts";
import { getHeldAt } from "#core/hosting/state.ts";
import { limitBp } from "#core/hosting/strategy/parameters.ts";
import {
  type FreshBook,
  getFreshBook,
  minimumHomeAmount,
  orderRequest,
} from "#core/hosting/strategy/sides.ts";
import { strategies } from "#core/hosting/strategy/strategies.ts";
import type {
  Moment,
  OrderRequest,
  PoolConfig,
  PoolState,
  Purpose,
  StrategyResult,
} from "#core/hosting/types.ts";
import {
  computeAssetsWorth,
  computeTotal,
  computeWorth,
  findSymbolBetween,
  listAssets,
  worthUnit,
} from "#core/hosting/value.ts";
import { min } from "#core/money/amount.ts";

/**
 * Upkeep of every pool, under the same latency, fees and books as its strategy: raise money owed
 * (`raiseCash`), clear the remainder of an unmatched leg (`unwind`), and keep inventory at its
 * target shares (`stock`). Null: nothing to do, or no book to do it on.
 */
export function raiseCash(
  config: PoolConfig,
  friction: Friction,
  state: PoolState,
  moment: Moment,
): StrategyResult | null {
  let shortfall = state.owed - state.free;
  if (shortfall <= 0n) return null;
  // 1 % extra for fees and price moves before the fill.
  shortfall = shortfall + shortfall / 100n + minimumHomeAmount(config);
  const requests: OrderRequest[] = [];
  for (const asset of listAssets(config).slice(1)) {
    const worth = computeWorth(asset, config.home, moment);
    if (worth === null || shortfall <= 0n) continue;
    for (const venue of config.venues) {
      const balance = getHeldAt(state, venue, asset);
      const amount = min(balance, (shortfall * worthUnit) / worth + 1n);
      const order =
        amount > 0n
          ? requestExchange({ config, friction, state, moment }, venue, asset, -amount)
          : null;
      if (!order) continue;
      requests.push(order);
      shortfall -= (amount * worth) / worthUnit;
      if (shortfall <= 0n) break;
    }
  }
  return withTrades("raise", requests);
}

export function closeOpenLeg(
  config: PoolConfig,
  friction: Friction,
  state: PoolState,
  moment: Moment,
): StrategyResult | null {
  // Configuration order, so that a state restored from storage behaves like one that was not.
  for (const asset of listAssets(config)) {
    const drift = state.drift[asset] ?? 0n;
    if (drift === 0n) continue;
    const worth = computeWorth(asset, config.home, moment);
    if (worth === null) continue;
    const size = drift < 0n ? -drift : drift;
    if ((size * worth) / worthUnit < minimumHomeAmount(config)) continue;
    const input = { config, friction, state, moment };
    const venue = findBestVenue(input, asset, -drift);
    const order = venue && requestExchange(input, venue, asset, -drift);
    if (order) return withTrades("unwind", [order]);
  }
  return null;
}

export function rebalance(
  config: PoolConfig,
  friction: Friction,
  state: PoolState,
  moment: Moment,
): StrategyResult | null {
  const totalWorth = computeAssetsWorth(config, state, moment);
  if (totalWorth === null) return null;
  const strategy = strategies[config.strategy];
  const requests: OrderRequest[] = [];
  // By venue: home money not yet claimed by an order of this decision.
  const spareByVenue = new Map(config.venues.map((v) => [v, getHeldAt(state, v, config.home)]));
  for (const [name, weight] of Object.entries(strategy.weights(config))) {
    const asset = name as Asset;
    const worth = computeWorth(asset, config.home, moment);
    if (worth === null) return null;
    const heldWorth = (computeTotal(config, state, asset) * worth) / worthUnit;
    const deviation = (totalWorth * BigInt(weight)) / 10_000n - heldWorth;
    if ((deviation < 0n ? -deviation : deviation) * 10_000n <= totalWorth * strategy.bandBp)
      continue;
    const part = deviation / BigInt(config.venues.length);
    for (const venue of config.venues) {
      const amount =
        part > 0n
          ? min(part, spareByVenue.get(venue) ?? 0n)
          : -min(-part, (getHeldAt(state, venue, asset) * worth) / worthUnit);
      if ((amount < 0n ? -amount : amount) < minimumHomeAmount(config)) continue;
      const order = requestExchange(
        { config, friction, state, moment },
        venue,
        asset,
        (amount * worthUnit) / worth,
      );
      if (!order) continue;
      if (amount > 0n) spareByVenue.set(venue, (spareByVenue.get(venue) ?? 0n) - amount);
      requests.push(order);
    }
  }
  return withTrades("stock", requests);
}

function withTrades(purpose: Purpose, requests: OrderRequest[]): StrategyResult | null {
  return requests.length === 0
    ? null
    : { trades: true, purpose, requests, observed: { gap: 0, needed: 0 } };
}

interface StrategyInput {
  config: PoolConfig;
  friction: Friction;
  state: PoolState;
  moment: Moment;
}

/**
 * An order that gets (`amount` > 0) or gives (< 0) that much of `asset` against home at this venue,
 * if the venue shows a book.
 */
function requestExchange(
  input: StrategyInput,
  venue: string,
  asset: Asset,
  amount: bigint,
): OrderRequest | null {
  const { config, friction, state, moment } = input;
  const symbol = findSymbolBetween(asset, config.home);
  const book = symbol && getFreshBook(moment, venue, symbol, friction);
  if (!book) return null;
  const { base, divisor, quoteUnit } = getSymbolAssets(symbol);
  const side = amount > 0n === (base === asset) ? "buy" : "sell";
  const price = side === "buy" ? book.best.ask : book.best.bid;
  const size = amount < 0n ? -amount : amount;
  const wantedQuantity = base === asset ? size : (size * divisor) / (price * quoteUnit);
  const soldAsset = side === "buy" ? getSymbolAssets(symbol).quote : base;
  const balance = getHeldAt(state, venue, soldAsset);
  const room = 10_000n + getFeeBp(friction) + limitBp + 1n;
  const affordable =
    side === "sell" ? balance : (balance * divisor * 10_000n) / (price * quoteUnit * room);
  const quantity = min(wantedQuantity, affordable);
  return quantity > 0n ? orderRequest(book, side, quantity, price) : null;
}

/**
 * The venue with the best price for getting (`amount` > 0) or giving `asset`, among those that hold
 * what must be given.
 */
function findBestVenue(input: StrategyInput, asset: Asset, amount: bigint): string | null {
  const { config, friction, state, moment } = input;
  const symbol = findSymbolBetween(asset, config.home);
  if (!symbol) return null;
  const isBase = getSymbolAssets(symbol).base === asset;
  const buys = amount > 0n === isBase;
  let best: FreshBook | null = null;
  for (const venue of config.venues) {
    const book = getFreshBook(moment, venue, symbol, friction);
    const soldAsset = amount > 0n ? config.home : asset;
    if (!book || getHeldAt(state, venue, soldAsset) <= getMinimumSold(soldAsset, config)) continue;
    const isBetter =
      !best || (buys ? book.best.ask < best.best.ask : book.best.bid > best.best.bid);
    if (isBetter) best = book;
  }
  return best?.venue ?? null;
}

/** Home money below the smallest order buys nothing useful; of other assets, any amount helps. */
function getMinimumSold(asset: Asset, config: PoolConfig): bigint {
  return asset === config.home ? minimumHomeAmount(config) : 0n;
}
