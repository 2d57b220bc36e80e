import { sha256 } from "@noble/hashes/sha2.js";
import type { LeaseCost } from "#core/mining/lease.ts";
import { type Canonical, canonicalBytes } from "#core/transparency-log/canonical.ts";

/**
 * The order that is hashed and bound in the log when a lease is accepted, and when it is ended
 * early (docs/formats/mining.md).
 */
export const leaseFormat = "drydock.mining.lease/1";
export const endingFormat = "drydock.mining.ending/1";

interface Common {
  world: string;
  market: { kind: string; speed: number };
  leaseId: string;
  acceptedAtMs: number;
  /** 32 random bytes in hex, so that it cannot be guessed from its public hash. */
  salt: string;
}

export interface LeaseOrder extends Common {
  attemptId: string;
  productId: string;
  termsHash: string;
  quantity: number;
  days: number;
  cost: LeaseCost;
}

export interface LeaseEnding extends Common {
  unusedDays: number;
  /** Minor units of pUSDT that come back. */
  price: bigint;
  power: bigint;
}

const marks = ({ world, market }: Common) => ({
  practice: true as const,
  backing: "none" as const,
  world,
  market: { kind: market.kind, speed: market.speed },
});

/** A receipt's `lease`. */
export function leaseStructure(lease: LeaseOrder) {
  const days = BigInt(lease.days);
  return {
    format: leaseFormat,
    ...marks(lease),
    lease_id: lease.leaseId,
    attempt_id: lease.attemptId,
    product_id: lease.productId,
    terms_hash: lease.termsHash,
    quantity: lease.quantity,
    days: lease.days,
    coin: "pUSDT",
    price: (lease.cost.pricePerDay * days).toString(),
    power: (lease.cost.powerCostPerDay * days).toString(),
    accepted_at_ms: lease.acceptedAtMs,
    salt: lease.salt,
  } satisfies { [name: string]: Canonical };
}

/** A receipt's `ended.ending`. */
export function endingStructure(ending: LeaseEnding) {
  return {
    format: endingFormat,
    ...marks(ending),
    lease_id: ending.leaseId,
    unused_days: ending.unusedDays,
    coin: "pUSDT",
    price: ending.price.toString(),
    power: ending.power.toString(),
    accepted_at_ms: ending.acceptedAtMs,
    salt: ending.salt,
  } satisfies { [name: string]: Canonical };
}

/** SHA-256 of a structure's canonical JSON. */
export const structureHash = (structure: { [name: string]: Canonical }): Uint8Array =>
  sha256(canonicalBytes(structure));
