import { sha256 } from "@noble/hashes/sha2.js";
import { assets } from "#core/hosting/assets.ts";
import { navScale, redemptionFeeBp, unitScale } from "#core/hosting/pool.ts";
import {
  bandBp,
  expiryMs,
  holdBandBp,
  limitBp,
  marginBp,
  orderMin,
  refillShare,
  transferMs,
} from "#core/hosting/strategy/parameters.ts";
import type { PoolConfig } from "#core/hosting/types.ts";
import { bytesToHex, equalBytes } from "#core/transparency-log/bytes.ts";
import { type Canonical, canonicalBytes } from "#core/transparency-log/canonical.ts";

const termsFormat = "drydock.hosting.terms/1";
/** Identifies the engine's rules. A change to any of them needs a new number, and so new terms. */
const engineName = "drydock.hosting/1";
/**
 * The taker fee of a leg in basis points; and the delay from decision to fill, in milliseconds,
 * modelled by waiting for the next book.
 */
export const takerFeeBp = 10;
export const latencyMs = 500;

/**
 * The terms of one pool, pinned by each subscription. Amounts in minor units of pUSDT. A change is
 * a new version.
 */
export interface PoolTerms {
  world: string;
  poolId: string;
  version: number;
  config: PoolConfig;
  minimum: bigint;
  maximum: bigint;
  seed: bigint;
}

export type PoolTermsBody = ReturnType<typeof termsBody>;

/** The hashed and logged structure (docs/formats/hosting.md, "Terms"). */
export function termsBody({ world, poolId, version, config, minimum, maximum, seed }: PoolTerms) {
  return {
    format: termsFormat,
    practice: true as const,
    backing: "none" as const,
    world,
    pool_id: poolId,
    version,
    engine: engineName,
    strategy: config.strategy,
    venues: [...config.venues],
    symbols: [...config.symbols],
    coin: assets[config.home].coin,
    minimum: minimum.toString(),
    maximum: maximum.toString(),
    seed: seed.toString(),
    unit_scale: unitScale,
    nav_scale: navScale,
    redemption_fee_bp: Number(redemptionFeeBp),
    taker_fee_bp: takerFeeBp,
    latency_ms: latencyMs,
    transfer_ms: transferMs,
    margin_bp: Number(marginBp),
    limit_bp: Number(limitBp),
    band_bp: Number(config.strategy === "hold" ? holdBandBp : bandBp),
    refill_share: Number(refillShare),
    expiry_ms: expiryMs,
    least_order: orderMin.toString(),
    marks: "each-world-minute",
  } satisfies { [name: string]: Canonical };
}

/**
 * Returns true if `body` is what `termsBody` writes: every member that the rules fix has the rules'
 * value. `body` may be any object; members that terms may choose are not checked.
 */
export function matchesFixedTerms(body: object): boolean {
  try {
    const { world, pool_id: poolId, version, ...rest } = body as PoolTermsBody;
    const { strategy, venues, symbols } = rest;
    const expected = termsBody({
      world,
      poolId,
      version,
      config: { strategy, venues, symbols, home: "USDT" },
      minimum: BigInt(rest.minimum),
      maximum: BigInt(rest.maximum),
      seed: BigInt(rest.seed),
    });
    return equalBytes(canonicalBytes(expected), canonicalBytes(body as PoolTermsBody));
  } catch {
    return false;
  }
}

/** SHA-256 of the canonical bytes, in hex: how an order pins its terms. */
export function termsHash(terms: PoolTerms): string {
  return bytesToHex(sha256(canonicalBytes(termsBody(terms))));
}
