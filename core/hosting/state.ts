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

/** A new pool that owns `free` minor units of home, not yet sent to any venue. */
export function createState(free = 0n): PoolState {
  return { free, owed: 0n, held: {}, transfers: [], orders: [], drift: {}, counters: noCounters };
}

/**
 * Adds money paid in at a mark; it belongs to the pool from then on and is sent to venues
 * automatically.
 */
export function payIn(state: PoolState, amount: bigint): PoolState {
  return { ...state, free: state.free + amount };
}

/**
 * Adds the amount that a mark owes to redeemers; the engine raises the money, `payOwed` pays it.
 */
export function addOwed(state: PoolState, amount: bigint): PoolState {
  return { ...state, owed: state.owed + amount };
}

/** Pays `amount` of the debt out of free money; throws a RangeError when it exceeds either. */
export function payOwed(state: PoolState, amount: bigint): PoolState {
  if (amount > state.free || amount > state.owed) throw new RangeError("more than is owed or free");
  return { ...state, free: state.free - amount, owed: state.owed - amount };
}

/** A venue's stock of an asset, in minor units. */
export function getHeldAt(state: PoolState, venue: string, asset: Asset): bigint {
  return state.held[`${venue}/${asset}`] ?? 0n;
}

/**
 * The state as JSON text: amounts as decimal strings, keys sorted, so that equal states give equal
 * text.
 */
export function encodePoolState(state: PoolState): string {
  const sorted = (value: unknown): unknown => {
    if (typeof value === "bigint") return value.toString();
    if (Array.isArray(value)) return value.map(sorted);
    if (value === null || typeof value !== "object") return value;
    const entries = Object.entries(value).map(([key, value]) => [key, sorted(value)] as const);
    return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
  };
  return JSON.stringify(sorted(state));
}

/**
 * Parses text from `encodePoolState`; throws on anything else, because a pool must not continue
 * from a damaged state.
 */
export function decodePoolState(text: string): PoolState {
  const raw = JSON.parse(text) as Plain<PoolState>;
  const { counters } = raw;
  return {
    free: BigInt(raw.free),
    owed: BigInt(raw.owed),
    held: bigints(raw.held),
    drift: bigints(raw.drift as Record<string, string>),
    transfers: raw.transfers.map((transfer): Transfer => {
      if (!assetNames.includes(transfer.asset))
        throw new TypeError("a transfer of an unknown asset");
      return { ...transfer, amount: BigInt(transfer.amount) };
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

function readOrder(item: Plain<PendingOrder>): PendingOrder {
  if (!isSymbol(item.symbol)) throw new TypeError("an order of an unknown symbol");
  return {
    ...item,
    quantity: BigInt(item.quantity),
    limit: BigInt(item.limit),
    mid2: BigInt(item.mid2),
    baseWorth: BigInt(item.baseWorth),
    quoteWorth: BigInt(item.quoteWorth),
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
