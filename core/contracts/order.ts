import { sha256 } from "@noble/hashes/sha2.js";
import type { Direction } from "#core/contracts/settle.ts";
import { isSymbol, type MarketSymbol } from "#core/market/symbols.ts";
import { bytesToHex } from "#core/transparency-log/bytes.ts";
import { type Canonical, canonicalBytes } from "#core/transparency-log/canonical.ts";
import { isCount, isHash, isInteger, isObject } from "#core/transparency-log/schema.ts";

const orderFormat = "drydock.contract.order/1";

/**
 * The facts fixed when an order is accepted. Amounts in minor units of pUSDT, times in world
 * milliseconds.
 */
export interface OrderBody {
  world: string;
  market: { kind: "simulated" | "replay" | "live"; speed: number };
  orderId: string;
  attemptId: string;
  contractId: string;
  symbol: MarketSymbol;
  direction: Direction;
  tierSeconds: number;
  windowSeconds: number;
  rangeBp: number;
  rateBp: number;
  feeBp: number;
  stake: bigint;
  fee: bigint;
  termsHash: string;
  acceptedAtMs: number;
  /** 32 random bytes in hex, so that an order cannot be guessed from its public hash. */
  salt: string;
}

/** The hashed structure, carried by a receipt under `order`. */
export function orderStructure(order: OrderBody) {
  return {
    format: orderFormat,
    practice: true,
    backing: "none",
    world: order.world,
    market: { kind: order.market.kind, speed: order.market.speed },
    order_id: order.orderId,
    attempt_id: order.attemptId,
    contract_id: order.contractId,
    symbol: order.symbol,
    direction: order.direction,
    tier_seconds: order.tierSeconds,
    window_seconds: order.windowSeconds,
    range_bp: order.rangeBp,
    rate_bp: order.rateBp,
    fee_bp: order.feeBp,
    coin: "pUSDT",
    stake: order.stake.toString(),
    fee: order.fee.toString(),
    terms_hash: order.termsHash,
    accepted_at_ms: order.acceptedAtMs,
    salt: order.salt,
  } satisfies { [name: string]: Canonical };
}

/**
 * SHA-256 of the canonical structure, in hex. Its 32 bytes are an entry under the `orders_root` of
 * a `second` leaf.
 */
export function orderHash(order: OrderBody): string {
  return bytesToHex(sha256(canonicalBytes(orderStructure(order))));
}

const minor = isInteger(18);
const isShortText = (value: unknown): value is string =>
  typeof value === "string" && /^[\x21-\x7e]{1,64}$/.test(value);

const fields: Record<string, (value: unknown) => boolean> = {
  format: (value) => value === orderFormat,
  practice: (value) => value === true,
  backing: (value) => value === "none",
  world: isShortText,
  market: (value) => {
    const market = value as { kind?: unknown; speed?: unknown } | null;
    return (
      typeof market === "object" &&
      market !== null &&
      Object.keys(market).length === 2 &&
      ["simulated", "replay", "live"].includes(market.kind as string) &&
      isCount(market.speed)
    );
  },
  order_id: isShortText,
  attempt_id: isShortText,
  contract_id: isShortText,
  symbol: (value) => typeof value === "string" && isSymbol(value),
  direction: (value) => value === "up" || value === "down",
  tier_seconds: isCount,
  window_seconds: isCount,
  range_bp: isCount,
  rate_bp: isCount,
  fee_bp: isCount,
  coin: (value) => value === "pUSDT",
  stake: minor,
  fee: minor,
  terms_hash: isHash,
  accepted_at_ms: isCount,
  salt: isHash,
};

/** Reads an order structure from a receipt; names the first missing, unknown or malformed field. */
export function parseOrderStructure(
  value: unknown,
): { ok: true; order: OrderBody } | { ok: false; field: string } {
  if (!isObject(value)) return { ok: false, field: "order" };
  const fieldsByName = value;
  for (const [name, isValid] of Object.entries(fields)) {
    if (!Object.hasOwn(fieldsByName, name) || !isValid(fieldsByName[name]))
      return { ok: false, field: name };
  }
  const unknownField = Object.keys(fieldsByName).find((name) => !Object.hasOwn(fields, name));
  if (unknownField !== undefined) return { ok: false, field: unknownField };
  return {
    ok: true,
    order: {
      world: fieldsByName.world as string,
      market: fieldsByName.market as OrderBody["market"],
      orderId: fieldsByName.order_id as string,
      attemptId: fieldsByName.attempt_id as string,
      contractId: fieldsByName.contract_id as string,
      symbol: fieldsByName.symbol as MarketSymbol,
      direction: fieldsByName.direction as Direction,
      tierSeconds: fieldsByName.tier_seconds as number,
      windowSeconds: fieldsByName.window_seconds as number,
      rangeBp: fieldsByName.range_bp as number,
      rateBp: fieldsByName.rate_bp as number,
      feeBp: fieldsByName.fee_bp as number,
      stake: BigInt(fieldsByName.stake as string),
      fee: BigInt(fieldsByName.fee as string),
      termsHash: fieldsByName.terms_hash as string,
      acceptedAtMs: fieldsByName.accepted_at_ms as number,
      salt: fieldsByName.salt as string,
    },
  };
}
