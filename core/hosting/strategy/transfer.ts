import { addToBalance } from "#core/hosting/settle.ts";
import { getHeldAt } from "#core/hosting/state.ts";
import { refillShare, transferMs } from "#core/hosting/strategy/parameters.ts";
import { minimumHomeAmount } from "#core/hosting/strategy/sides.ts";
import type { Moment, PoolConfig, PoolState, Transfer } from "#core/hosting/types.ts";
import { computeWorth, listAssets, worthUnit } from "#core/hosting/value.ts";
import { min } from "#core/money/amount.ts";
import { minuteMs } from "#core/money/time.ts";

/** Completes transfers that have arrived by now. */
export function takeArrivals(
  state: PoolState,
  atMs: number,
): { state: PoolState; arrived: Transfer[] } {
  const arrivals = state.transfers.filter(({ arriveMs }) => arriveMs <= atMs);
  if (arrivals.length === 0) return { state, arrived: arrivals };
  const balances = { ...state.held };
  for (const { to, asset, amount } of arrivals) addToBalance(balances, `${to}/${asset}`, amount);
  const transfers = state.transfers.filter(({ arriveMs }) => arriveMs > atMs);
  return { state: { ...state, held: balances, transfers }, arrived: arrivals };
}

/**
 * Takes home money from venues, the richest first, until the debt is covered; instantly, so that
 * redeemers do not wait ten minutes.
 */
export function planOwedTransfers(
  config: PoolConfig,
  state: PoolState,
  atMs: number,
): { state: PoolState; sent: Transfer[] } {
  let shortfall = state.owed - state.free;
  if (shortfall <= 0n) return { state, sent: [] };
  const { home } = config;
  const richest = [...config.venues].sort((a, b) =>
    getHeldAt(state, b, home) > getHeldAt(state, a, home) ? 1 : -1,
  );
  const balances = { ...state.held };
  const transfers: Transfer[] = [];
  for (const from of richest) {
    const amount = min(shortfall, getHeldAt(state, from, home));
    if (amount <= 0n) continue;
    addToBalance(balances, `${from}/${home}`, -amount);
    transfers.push({ asset: home, amount, from, to: null, sentMs: atMs, arriveMs: atMs });
    shortfall -= amount;
  }
  const total = transfers.reduce((sum, { amount }) => sum + amount, 0n);
  return { state: { ...state, held: balances, free: state.free + total }, sent: transfers };
}

/**
 * Sends free money to the venues in even parts, and refills a venue that ran out of an asset from
 * the one that holds most. Once a minute, and never an asset already in transit.
 */
export function planTransfers(
  config: PoolConfig,
  state: PoolState,
  moment: Moment,
): { state: PoolState; sent: Transfer[] } {
  if (moment.atMs % minuteMs !== 0) return { state, sent: [] };
  const sentTransfers = [
    ...spreadHome(config, state, moment.atMs),
    ...refill(config, state, moment),
  ];
  if (sentTransfers.length === 0) return { state, sent: sentTransfers };
  const balances = { ...state.held };
  let { free } = state;
  for (const { from, asset, amount } of sentTransfers) {
    if (from === null) free -= amount;
    else addToBalance(balances, `${from}/${asset}`, -amount);
  }
  const counters = {
    ...state.counters,
    transfers: state.counters.transfers + sentTransfers.length,
  };
  const transfers = [...state.transfers, ...sentTransfers];
  return { state: { ...state, free, held: balances, transfers, counters }, sent: sentTransfers };
}

function spreadHome(
  { venues, home, ...rest }: PoolConfig,
  state: PoolState,
  atMs: number,
): Transfer[] {
  const part = (state.free - state.owed) / BigInt(venues.length);
  if (part < minimumHomeAmount({ venues, home, ...rest })) return [];
  return venues.map((to) => getTransfer(home, part, null, to, atMs));
}

function refill(config: PoolConfig, state: PoolState, moment: Moment): Transfer[] {
  const count = BigInt(config.venues.length);
  if (count < 2n) return [];
  const transfers: Transfer[] = [];
  for (const asset of listAssets(config)) {
    if (state.transfers.some((transfer) => transfer.asset === asset && transfer.from !== null))
      continue;
    const rankedVenues = config.venues
      .map((venue) => ({ venue, held: getHeldAt(state, venue, asset) }))
      .sort((a, b) => (a.held < b.held ? -1 : a.held > b.held ? 1 : 0));
    const [poorest, richest] = [rankedVenues[0]!, rankedVenues.at(-1)!];
    const evenShare = rankedVenues.reduce((sum, { held }) => sum + held, 0n) / count;
    if (poorest.held * refillShare >= evenShare) continue;
    const amount = min(evenShare - poorest.held, richest.held - evenShare);
    const worth = computeWorth(asset, config.home, moment);
    if (worth === null || (amount * worth) / worthUnit < minimumHomeAmount(config)) continue;
    transfers.push(getTransfer(asset, amount, richest.venue, poorest.venue, moment.atMs));
  }
  return transfers;
}

function getTransfer(
  asset: Transfer["asset"],
  amount: bigint,
  from: string | null,
  to: string,
  sentMs: number,
): Transfer {
  return { asset, amount, from, to, sentMs, arriveMs: sentMs + transferMs };
}
