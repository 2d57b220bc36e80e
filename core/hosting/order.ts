import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "#core/transparency-log/bytes.ts";
import { type Canonical, canonicalBytes } from "#core/transparency-log/canonical.ts";

const orderFormat = "drydock.hosting.order/1";

/**
 * Everything fixed when a subscription or redemption is accepted: an amount (minor units of pUSDT)
 * or units (scale 8).
 */
export interface HostingOrderBody {
  world: string;
  market: { kind: "simulated" | "replay" | "live"; speed: number };
  orderId: string;
  attemptId: string;
  poolId: string;
  action: "subscribe" | "redeem";
  amount: bigint | null;
  units: bigint | null;
  termsHash: string;
  acceptedAtMs: number;
  /** 32 random bytes in hex, so that an order cannot be guessed from its public hash. */
  salt: string;
}

/** The hashed structure, carried by a receipt under `order`. */
export function orderStructure(order: HostingOrderBody) {
  return {
    format: orderFormat,
    practice: true,
    backing: "none",
    world: order.world,
    market: { kind: order.market.kind, speed: order.market.speed },
    order_id: order.orderId,
    attempt_id: order.attemptId,
    pool_id: order.poolId,
    action: order.action,
    coin: "pUSDT",
    amount: order.amount === null ? null : order.amount.toString(),
    units: order.units === null ? null : order.units.toString(),
    terms_hash: order.termsHash,
    accepted_at_ms: order.acceptedAtMs,
    salt: order.salt,
  } satisfies { [name: string]: Canonical };
}

/**
 * SHA-256 of the canonical structure, in hex. Its 32 bytes are an entry under the root of a `mark`
 * leaf of type `orders`.
 */
export function orderHash(order: HostingOrderBody): string {
  return bytesToHex(sha256(canonicalBytes(orderStructure(order))));
}
