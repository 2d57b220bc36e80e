import { sha256 } from "@noble/hashes/sha2.js";
import { coinFlipReturnLimits, computeCoinFlipReturnPer20000 } from "#core/contracts/breakEven.ts";
import { entryLatestMs } from "#core/contracts/settle.ts";
import { isSymbol, type MarketSymbol } from "#core/market/symbols.ts";
import { bytesToHex, equalBytes } from "#core/transparency-log/bytes.ts";
import { type Canonical, canonicalBytes } from "#core/transparency-log/canonical.ts";
import {
  getWindowSeconds,
  longTierSeconds,
  longWindowSeconds,
  shortWindowSeconds,
} from "./settlementWindow.ts";

const termsFormat = "drydock.contract.terms/1";

/** A tier. Amounts in minor units of pUSDT. */
export interface Tier {
  seconds: number;
  rangeBp: number;
  rateBp: number;
  feeBp: number;
  stakeMin: bigint;
  stakeMax: bigint;
  /** Orders a person may place per real day; null for no limit. */
  ordersPerDay: number | null;
}

/**
 * The terms of a contract, accepted by a person with each order. A change is a new version, never
 * an edit.
 */
export interface Terms {
  world: string;
  contractId: string;
  symbol: MarketSymbol;
  version: number;
  tiers: readonly Tier[];
}

/**
 * The largest stake any terms may allow, in minor units (100 000 000 pUSDT); keeps every product in
 * the rules within 64 bits.
 */
const stakeCeiling = 100_000_000_000_000n;
const secondsCeiling = 7 * 86_400;

/** The contract id of a symbol: `btc-usdt` for `BTC/USDT`. */
export function toContractId(symbol: MarketSymbol): string {
  return symbol.toLowerCase().replace("/", "-");
}

/** The hashed and logged structure (docs/rules/contracts.md, "Terms"). */
export function termsBody(terms: Terms) {
  return {
    format: termsFormat,
    practice: true as const,
    backing: "none" as const,
    world: terms.world,
    contract_id: terms.contractId,
    symbol: terms.symbol,
    version: terms.version,
    coin: "pUSDT",
    directions: ["up", "down"],
    entry: { rule: "first-value-after-binding", latest_ms: entryLatestMs },
    sampling: {
      rule: "trimmed-mean",
      short_window_seconds: shortWindowSeconds,
      long_window_seconds: longWindowSeconds,
      long_from_tier_seconds: longTierSeconds,
      present_percent: 80,
      trimmed_fraction: "1/5",
    },
    tiers: terms.tiers.map((tier) => ({
      seconds: tier.seconds,
      window_seconds: getWindowSeconds(tier.seconds),
      range_bp: tier.rangeBp,
      rate_bp: tier.rateBp,
      fee_bp: tier.feeBp,
      stake_min: tier.stakeMin.toString(),
      stake_max: tier.stakeMax.toString(),
      orders_per_day: tier.ordersPerDay,
    })),
  } satisfies { [name: string]: Canonical };
}

type TermsBody = ReturnType<typeof termsBody>;

/** Parses the JSON text written by `termsBody` for a version this instance published. */
export function parseTerms(text: string, symbol: MarketSymbol): Terms {
  return getTerms(JSON.parse(text) as TermsBody, symbol);
}

/**
 * Returns true if `body` is what `termsBody` writes: every member that the rules fix has the rules'
 * value. `body` may be any object; members that terms may choose are not checked.
 */
export function matchesFixedTerms(body: object): boolean {
  try {
    const termsBody = body as TermsBody;
    const expected = termsBytes(getTerms(termsBody, termsBody.symbol));
    return equalBytes(expected, canonicalBytes(termsBody));
  } catch {
    return false;
  }
}

function getTerms(body: TermsBody, symbol: MarketSymbol): Terms {
  return {
    world: body.world,
    contractId: body.contract_id,
    symbol,
    version: body.version,
    tiers: body.tiers.map((tier) => ({
      seconds: tier.seconds,
      rangeBp: tier.range_bp,
      rateBp: tier.rate_bp,
      feeBp: tier.fee_bp,
      stakeMin: BigInt(tier.stake_min),
      stakeMax: BigInt(tier.stake_max),
      ordersPerDay: tier.orders_per_day,
    })),
  };
}

/** The canonical bytes, as held by the `terms` leaf. */
export function termsBytes(terms: Terms): Uint8Array {
  return canonicalBytes(termsBody(terms));
}

/** SHA-256 of the canonical bytes, in hex: how an order pins its terms. */
export function termsHash(terms: Terms): string {
  return bytesToHex(sha256(termsBytes(terms)));
}

export type TermsError =
  | { error: "no_tiers" }
  | { error: "symbol_mismatch" }
  | { error: "version_malformed" }
  | { error: "tier_malformed"; seconds: number; field: string }
  | { error: "tier_repeated"; seconds: number }
  | { error: "flatters"; seconds: number; returnBp: number }
  | { error: "robs"; seconds: number; returnBp: number };

/**
 * Checks whether terms may be published; null when they may. On every tier a coin flip must return
 * between 90 and 98 per 100 staked (`returnBp` 9 000 to 9 800, as computed by
 * `computeCoinFlipReturnPer20000`).
 */
export function checkTerms(terms: Terms): TermsError | null {
  if (!isSymbol(terms.symbol) || terms.contractId !== toContractId(terms.symbol)) {
    return { error: "symbol_mismatch" };
  }
  if (!Number.isSafeInteger(terms.version) || terms.version < 1)
    return { error: "version_malformed" };
  if (terms.tiers.length === 0) return { error: "no_tiers" };
  const durations = new Set<number>();
  for (const tier of terms.tiers) {
    const { seconds } = tier;
    if (durations.has(seconds)) return { error: "tier_repeated", seconds };
    durations.add(seconds);
    const field = malformedField(tier);
    if (field) return { error: "tier_malformed", seconds, field };
    const returnPer20000 = computeCoinFlipReturnPer20000(tier);
    if (returnPer20000 > coinFlipReturnLimits.max)
      return { error: "flatters", seconds, returnBp: returnPer20000 / 2 };
    if (returnPer20000 < coinFlipReturnLimits.min)
      return { error: "robs", seconds, returnBp: returnPer20000 / 2 };
  }
  return null;
}

function malformedField(tier: Tier): string | null {
  const isInteger = (value: number, from: number, to: number) =>
    Number.isSafeInteger(value) && value >= from && value <= to;
  // The window must begin after the entry, or the price would be known when the order is accepted.
  if (!isInteger(tier.seconds, 30, secondsCeiling)) return "seconds";
  if (!isInteger(tier.rangeBp, 0, 10_000)) return "range_bp";
  if (!isInteger(tier.rateBp, 0, 10_000)) return "rate_bp";
  if (!isInteger(tier.feeBp, 0, 1_000)) return "fee_bp";
  if (tier.stakeMin <= 0n) return "stake_min";
  if (tier.stakeMax < tier.stakeMin || tier.stakeMax > stakeCeiling) return "stake_max";
  if (tier.ordersPerDay !== null && !isInteger(tier.ordersPerDay, 1, 10_000))
    return "orders_per_day";
  return null;
}

const unit = 1_000_000n;
const plainTier = {
  rangeBp: 0,
  rateBp: 9_000,
  feeBp: 100,
  stakeMin: 10n * unit,
  stakeMax: 1_000n * unit,
  ordersPerDay: null,
} as const;

/**
 * The tiers of a new instance; the 60-second tier is for trying contracts and allows five orders a
 * day.
 */
export const defaultTiers: readonly Tier[] = [
  { ...plainTier, seconds: 60, ordersPerDay: 5 },
  { ...plainTier, seconds: 300 },
  { ...plainTier, seconds: 900 },
  { ...plainTier, seconds: 3_600 },
  { ...plainTier, seconds: 86_400 },
];
