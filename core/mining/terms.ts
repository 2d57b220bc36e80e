import { sha256 } from "@noble/hashes/sha2.js";
import {
  computeAccrualPerTh,
  computePowerCostPerDay,
  computeSatoshi,
  computeSatoshiWorth,
  type NetworkFigures,
} from "#core/mining/formula.ts";
import { commissioningMs, refundPercent } from "#core/mining/lease.ts";
import { dayMs } from "#core/money/time.ts";
import { bytesToHex, equalBytes } from "#core/transparency-log/bytes.ts";
import { type Canonical, canonicalBytes } from "#core/transparency-log/canonical.ts";

export const termsFormat = "drydock.mining.terms/1";
/** The pool fee: 2 % of the mined amount. */
export const poolFeeBp = 200;

/** A machine on offer. Amounts in minor units of pUSDT. */
export interface MachineOffer {
  productId: string;
  maker: string;
  model: string;
  source: string;
  hashrateGhs: bigint;
  powerW: number;
  /** For one machine for one day. */
  pricePerDay: bigint;
  pricePerKwh: bigint;
  stock: number;
  quantityMax: number;
  daysMin: number;
  daysMax: number;
}

/**
 * A published offer. A change is a new version, never an edit; a lease pins the hash of its terms.
 */
export interface MachineTerms extends MachineOffer {
  world: string;
  version: number;
}

export function termsBody(terms: MachineTerms) {
  return {
    format: termsFormat,
    practice: true as const,
    backing: "none" as const,
    world: terms.world,
    product_id: terms.productId,
    version: terms.version,
    maker: terms.maker,
    model: terms.model,
    source: terms.source,
    hashrate_ghs: terms.hashrateGhs.toString(),
    power_w: terms.powerW,
    cost_coin: "pUSDT",
    price_per_day: terms.pricePerDay.toString(),
    electricity_per_kwh: terms.pricePerKwh.toString(),
    electricity_rule: "charged for all days at the start",
    payout_coin: "pBTC",
    payout_rule: "hourly readings, cumulative per TH",
    pool_fee_bp: poolFeeBp,
    commissioning_ms: commissioningMs,
    day_ms: dayMs,
    refund_price_percent: Number(refundPercent),
    refund_power_percent: 100,
    stock: terms.stock,
    quantity_max: terms.quantityMax,
    days_min: terms.daysMin,
    days_max: terms.daysMax,
  } satisfies { [name: string]: Canonical };
}
export type TermsBody = ReturnType<typeof termsBody>;

/** Parses the output of `termsBody`. */
export function parseMachineTerms(body: TermsBody): MachineTerms {
  return {
    world: body.world,
    version: body.version,
    productId: body.product_id,
    maker: body.maker,
    model: body.model,
    source: body.source,
    hashrateGhs: BigInt(body.hashrate_ghs),
    powerW: body.power_w,
    pricePerDay: BigInt(body.price_per_day),
    pricePerKwh: BigInt(body.electricity_per_kwh),
    stock: body.stock,
    quantityMax: body.quantity_max,
    daysMin: body.days_min,
    daysMax: body.days_max,
  };
}

/**
 * Returns true if `body` is what `termsBody` writes: every member that the rules fix has the rules'
 * value. `body` may be any object; members that terms may choose are not checked.
 */
export function matchesFixedTerms(body: object): boolean {
  try {
    const expected = canonicalBytes(termsBody(parseMachineTerms(body as TermsBody)));
    return equalBytes(expected, canonicalBytes(body as TermsBody));
  } catch {
    return false;
  }
}

/** SHA-256 of the canonical bytes, in hex: how a lease pins its terms. */
export function termsHash(terms: MachineTerms): string {
  return bytesToHex(sha256(canonicalBytes(termsBody(terms))));
}

/**
 * The daily earnings and costs of one machine at these figures, in minor units of pUSDT; payout in
 * satoshi.
 */
export function computeExpectedDay(
  offer: Pick<MachineOffer, "hashrateGhs" | "powerW" | "pricePerDay" | "pricePerKwh">,
  network: NetworkFigures,
  btcPrice: bigint,
): { payout: bigint; worth: bigint; power: bigint; cost: bigint } {
  const payout = computeSatoshi(
    computeAccrualPerTh(network, dayMs / 1_000),
    offer.hashrateGhs,
    poolFeeBp,
  );
  const power = computePowerCostPerDay(offer.powerW, offer.pricePerKwh, 1);
  return {
    payout,
    worth: computeSatoshiWorth(payout, btcPrice),
    power,
    cost: offer.pricePerDay + power,
  };
}

export type TermsError =
  | { error: "offer_malformed"; field: string }
  | { error: "flatters"; worth: bigint; cost: bigint }
  | { error: "pays_nothing" };

const productId = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/**
 * Checks whether an offer may be published at these figures; null when it may. Refused when a
 * machine would earn more than it costs (`worth` above `cost`, both per day): no real seller would
 * offer that.
 */
export function checkOffer(
  offer: MachineOffer,
  network: NetworkFigures,
  btcPrice: bigint,
): TermsError | null {
  const field = malformedField(offer);
  if (field) return { error: "offer_malformed", field };
  const { payout, worth, cost } = computeExpectedDay(offer, network, btcPrice);
  if (payout === 0n) return { error: "pays_nothing" };
  return worth > cost ? { error: "flatters", worth, cost } : null;
}

function malformedField(offer: MachineOffer): string | null {
  const isInteger = (value: number, from: number, to: number) =>
    Number.isSafeInteger(value) && value >= from && value <= to;
  if (!productId.test(offer.productId) || offer.productId.length > 64) return "product_id";
  for (const name of ["maker", "model", "source"] as const) {
    if (offer[name].trim() === "" || offer[name].length > 200) return name;
  }
  // Bounds far above any real machine keep every product within the ledger's 64 bits.
  if (offer.hashrateGhs <= 0n || offer.hashrateGhs > 10n ** 9n) return "hashrate_ghs";
  if (!isInteger(offer.powerW, 1, 1_000_000)) return "power_w";
  if (offer.pricePerDay <= 0n || offer.pricePerDay > 10n ** 11n) return "price_per_day";
  if (offer.pricePerKwh < 0n || offer.pricePerKwh > 10n ** 9n) return "electricity_per_kwh";
  if (!isInteger(offer.stock, 1, 10_000_000)) return "stock";
  if (!isInteger(offer.quantityMax, 1, 1_000)) return "quantity_max";
  if (!isInteger(offer.daysMin, 1, 1_000)) return "days_min";
  if (!isInteger(offer.daysMax, offer.daysMin, 1_000)) return "days_max";
  return null;
}

/**
 * Machines of one kind that a person can have on lease at once: a twentieth of the stock, but at
 * least the most machines of one lease. Without this cap, a few people could lease the whole stock.
 */
export function ownMachinesMax({ stock, quantityMax }: { stock: number; quantityMax: number }) {
  return Math.max(quantityMax, Math.floor(stock / 20));
}
