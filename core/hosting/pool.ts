import { type Asset, assets } from "#core/hosting/assets.ts";
import { coinScale } from "#core/money/coins.ts";
import { divideDown, divideUp } from "#core/money/rounding.ts";

/**
 * The amount that the house puts into each of its new pools (docs/rules/hosting.md): 100 000 pUSDT,
 * in minor units.
 */
export const seedCapital = 100_000n * 10n ** BigInt(coinScale("pUSDT"));

/** Digits after the point of a unit and of a NAV. */
export const unitScale = 8;
export const navScale = 8;
/** A NAV of 1. */
export const unitNav = 10n ** BigInt(navScale);
/** Share of a redemption's worth that the pool keeps, in basis points. */
export const redemptionFeeBp = 10n;

/** Divisor that turns units × NAV into minor units of home. */
function computeDivisor(home: Asset): bigint {
  return 10n ** BigInt(unitScale + navScale - assets[home].scale);
}

/**
 * A pool's valuation at a mark. `net` = `assets` − `owed` is shared by its units; `nav` is net over
 * units, rounded down at scale 8, and `entryNav` the same rounded up. `remainder` = net − ⌊units ×
 * nav⌋ belongs to no unit and stays in the pool: assets = owed + ⌊units × nav⌋ + remainder, to the
 * minor unit.
 */
export interface Mark {
  assets: bigint;
  owed: bigint;
  units: bigint;
  net: bigint;
  nav: bigint;
  entryNav: bigint;
  remainder: bigint;
}

export type MarkOutcome =
  | { ok: true; mark: Mark }
  /**
   * Without an index there is no mark, without units no NAV; a pool worth less than 10⁻⁸ per unit
   * sells no units.
   */
  | { ok: false; error: "no_index" | "no_units" | "worthless" };

/**
 * Marks a pool. `worth` is the value of its assets at the index (`computeAssetsWorth`), null in a gap. All
 * amounts in minor units of home.
 */
export function markPool(
  home: Asset,
  pool: { worth: bigint | null; owed: bigint; units: bigint },
): MarkOutcome {
  const { worth, owed, units } = pool;
  if (worth === null) return { ok: false, error: "no_index" };
  if (units <= 0n) return { ok: false, error: "no_units" };
  const net = worth - owed;
  const divisor = computeDivisor(home);
  if (net <= 0n || net * divisor < units) return { ok: false, error: "worthless" };
  const nav = divideDown(net * divisor, units);
  const entryNav = divideUp(net * divisor, units);
  const remainder = net - divideDown(units * nav, divisor);
  return { ok: true, mark: { assets: worth, owed, units, net, nav, entryNav, remainder } };
}

/**
 * Units issued for the founder's money, at a NAV of 1. They belong to the house and are never
 * redeemed, so a pool always has units.
 */
export function computeFoundingUnits(home: Asset, amount: bigint): bigint {
  return divideDown(amount * computeDivisor(home), unitNav);
}

/** Units for `amount` paid in: NAV rounded up, units rounded down. */
export function computeUnits(home: Asset, amount: bigint, mark: Mark): bigint {
  return divideDown(amount * computeDivisor(home), mark.entryNav);
}

/**
 * The payout for redeeming `units`: NAV and worth rounded down; the fee, rounded up, stays in the
 * pool; the payout is the rest.
 */
export function computePayout(
  home: Asset,
  units: bigint,
  mark: Pick<Mark, "nav">,
): { worth: bigint; fee: bigint; payout: bigint } {
  const worth = divideDown(units * mark.nav, computeDivisor(home));
  const fee = divideUp(worth * redemptionFeeBp, 10_000n);
  return { worth, fee, payout: worth - fee };
}

/** An order waiting for a mark: money paid in, or units given back. */
export type PendingOrder =
  | { kind: "subscribe"; amount: bigint }
  | { kind: "redeem"; units: bigint };

export interface ExecutedOrder {
  /** Units issued (subscribe) or redeemed (redeem). */
  units: bigint;
  /** Paid out and kept as fee; both 0 for a subscription. */
  payout: bigint;
  fee: bigint;
}

/**
 * Executes all waiting orders at one mark. Everyone gets the same NAV regardless of the list's
 * order: no order affects another. A subscription too small for 10⁻⁸ of a unit issues none and
 * stays in the pool; callers refuse it beforehand.
 */
export function executeAt(
  home: Asset,
  mark: Mark,
  pendingOrders: readonly PendingOrder[],
): { executed: ExecutedOrder[]; units: bigint; paidIn: bigint; payable: bigint } {
  let { units } = mark;
  let paidIn = 0n;
  let payable = 0n;
  const executedOrders = pendingOrders.map((pendingOrder): ExecutedOrder => {
    if (pendingOrder.kind === "subscribe") {
      const issuedUnits = computeUnits(home, pendingOrder.amount, mark);
      units += issuedUnits;
      paidIn += pendingOrder.amount;
      return { units: issuedUnits, payout: 0n, fee: 0n };
    }
    const { payout, fee } = computePayout(home, pendingOrder.units, mark);
    units -= pendingOrder.units;
    payable += payout;
    return { units: pendingOrder.units, payout, fee };
  });
  return { executed: executedOrders, units, paidIn, payable };
}

/**
 * A holder's earnings between two marks: units × change of NAV, rounded towards negative infinity
 * for gains and losses alike.
 */
export function computeEarned(home: Asset, units: bigint, fromNav: bigint, toNav: bigint): bigint {
  const divisor = computeDivisor(home);
  const product = units * (toNav - fromNav);
  return product >= 0n ? product / divisor : -divideUp(-product, divisor);
}
