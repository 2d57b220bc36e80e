import { type Asset, assetNames } from "#core/hosting/assets.ts";
import type { Counters, PendingOrder, PoolState, Transfer } from "#core/hosting/types.ts";
import { isSymbol } from "#core/market/symbols.ts";

const noCounters: Counters = {
  decisions: 0,
  trades: 0,
  fills: 0,
  short: 0,
  transfers: 0,
  gross: 0n,
  slippage: 0n,
  fees: 0n,
};

/** A pool that owns `free` minor units of home, sent to no venue yet. */
export function newState(free = 0n): PoolState {
  return { free, owed: 0n, held: {}, transfers: [], orders: [], drift: {}, counters: noCounters };
}

/** Money paid in at a mark: it is the pool's from then on, and goes out to venues by itself. */
export function payIn(state: PoolState, amount: bigint): PoolState {
  return { ...state, free: state.free + amount };
}

/** What a mark found to be owed to redeemers; the engine raises it, `payOwed` pays it. */
export function owe(state: PoolState, amount: bigint): PoolState {
  return { ...state, owed: state.owed + amount };
}

/** Pays `amount` of what is owed out of free money; throws a RangeError when either is less. */
export function payOwed(state: PoolState, amount: bigint): PoolState {
  if (amount > state.free || amount > state.owed) throw new RangeError("a pool pays what it has");
  return { ...state, free: state.free - amount, owed: state.owed - amount };
}

/** What is at a venue, in minor units. */
export function heldAt(state: PoolState, venue: string, asset: Asset): bigint {
  return state.held[`${venue}/${asset}`] ?? 0n;
}

/**
 * The state as JSON text: amounts as decimal strings, keys sorted, so that equal states are equal
 * text.
 */
export function encodePoolState(state: PoolState): string {
  const sorted = (value: unknown): unknown => {
    if (typeof value === "bigint") return value.toString();
    if (Array.isArray(value)) return value.map(sorted);
    if (value === null || typeof value !== "object") return value;
    const entries = Object.entries(value).map(([key, one]) => [key, sorted(one)] as const);
    return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
  };
  return JSON.stringify(sorted(state));
}

/**
 * Reads `encodePoolState`'s text; throws on anything else, for a pool must not go on from half a
 * state.
 */
export function decodePoolState(text: string): PoolState {
  const raw = JSON.parse(text) as Plain<PoolState>;
  const { counters } = raw;
  return {
    free: BigInt(raw.free),
    owed: BigInt(raw.owed),
    held: bigints(raw.held),
    drift: bigints(raw.drift as Record<string, string>),
    transfers: raw.transfers.map((one): Transfer => {
      if (!assetNames.includes(one.asset)) throw new TypeError("a transfer of an unknown asset");
      return { ...one, amount: BigInt(one.amount) };
    }),
    orders: raw.orders.map(readOrder),
    counters: {
      ...counters,
      gross: BigInt(counters.gross),
      slippage: BigInt(counters.slippage),
      fees: BigInt(counters.fees),
    },
  };
}

function readOrder(one: Plain<PendingOrder>): PendingOrder {
  if (!isSymbol(one.symbol)) throw new TypeError("an order of an unknown symbol");
  return {
    ...one,
    quantity: BigInt(one.quantity),
    limit: BigInt(one.limit),
    mid2: BigInt(one.mid2),
    baseWorth: BigInt(one.baseWorth),
    quoteWorth: BigInt(one.quoteWorth),
  };
}

function bigints<Key extends string>(record: Record<Key, string>): Record<Key, bigint> {
  return Object.fromEntries(
    Object.entries<string>(record).map(([key, value]) => [key, BigInt(value)]),
  ) as Record<Key, bigint>;
}

type Plain<T> = T extends bigint
  ? string
  : T extends readonly (infer One)[]
    ? Plain<One>[]
    : T extends object
      ? { [Key in keyof T]: Plain<T[Key]> }
      : T;
