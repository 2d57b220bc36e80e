import { type Asset, assets } from "#core/hosting/assets.ts";
import { scaleOf } from "#core/money/coins.ts";
import { divideDown, divideUp } from "#core/money/rounding.ts";

/**
 * What the house puts into every new pool of its own, in minor units of pUSDT
 * (docs/rules/hosting.md): 100 000 pUSDT.
 */
export const seedCapital = 100_000n * 10n ** BigInt(scaleOf("pUSDT"));

/** Digits after the point of a unit and of a NAV. */
export const unitScale = 8;
export const navScale = 8;
/** A NAV of 1. */
export const navOne = 10n ** BigInt(navScale);
/** Of what a redemption is worth, kept in the pool. */
export const redemptionFeeBp = 10n;

/** units × NAV are divided by this to give minor units of home. */
function divisorOf(home: Asset): bigint {
  return 10n ** BigInt(unitScale + navScale - assets[home].scale);
}

/**
 * What a pool is worth at a mark. `net` = `assets` − `owed` is what its units share; `nav` is net
 * over units, rounded down at scale 8, and
 * `entryNav` the same rounded up. `remainder` = net − ⌊units × nav⌋ belongs to no unit and stays in
 * the pool: assets = owed + ⌊units × nav⌋ + remainder, to the minor unit.
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
   * No index, no mark; a pool without units has no NAV; one that is worth less than 10⁻⁸ a unit
   * sells none.
   */
  | { ok: false; why: "no_index" | "no_units" | "worthless" };

/**
 * Marks a pool. `worth` is what it owns at the index (`assetsWorth`), null in a gap. All in minor
 * units of home.
 */
export function markPool(
  home: Asset,
  pool: { worth: bigint | null; owed: bigint; units: bigint },
): MarkOutcome {
  const { worth, owed, units } = pool;
  if (worth === null) return { ok: false, why: "no_index" };
  if (units <= 0n) return { ok: false, why: "no_units" };
  const net = worth - owed;
  const divisor = divisorOf(home);
  if (net <= 0n || net * divisor < units) return { ok: false, why: "worthless" };
  const nav = divideDown(net * divisor, units);
  const entryNav = divideUp(net * divisor, units);
  const remainder = net - divideDown(units * nav, divisor);
  return { ok: true, mark: { assets: worth, owed, units, net, nav, entryNav, remainder } };
}

/**
 * The units that the founder's money makes, at a NAV of 1. They are the house's and are never
 * redeemed, so a pool always has units.
 */
export function foundingUnits(home: Asset, amount: bigint): bigint {
  return divideDown(amount * divisorOf(home), navOne);
}

/** Units for `amount` paid in: at the NAV rounded up, units down. */
export function unitsFor(home: Asset, amount: bigint, mark: Mark): bigint {
  return divideDown(amount * divisorOf(home), mark.entryNav);
}

/**
 * What `units` are worth: at the NAV rounded down, worth down; fee up and kept in the pool; the
 * payout is the rest.
 */
export function payoutFor(
  home: Asset,
  units: bigint,
  mark: Pick<Mark, "nav">,
): { worth: bigint; fee: bigint; payout: bigint } {
  const worth = divideDown(units * mark.nav, divisorOf(home));
  const fee = divideUp(worth * redemptionFeeBp, 10_000n);
  return { worth, fee, payout: worth - fee };
}

/** What waits for a mark: money paid in, or units given back. */
export type Waiting = { kind: "subscribe"; amount: bigint } | { kind: "redeem"; units: bigint };

export interface Executed {
  /** Units made (subscribe) or given up (redeem). */
  units: bigint;
  /** What is paid out and what is kept as fee; both 0 for a subscription. */
  payout: bigint;
  fee: bigint;
}

/**
 * Executes all that waited at one mark. Everyone gets the same NAV, whatever their place in the
 * list: nothing that one does moves what another gets. A subscription too small for a ten-millionth
 * of a unit makes none and stays in the pool; callers refuse it before.
 */
export function executeAt(
  home: Asset,
  mark: Mark,
  waiting: readonly Waiting[],
): { executed: Executed[]; units: bigint; paidIn: bigint; payable: bigint } {
  let { units } = mark;
  let paidIn = 0n;
  let payable = 0n;
  const executed = waiting.map((one): Executed => {
    if (one.kind === "subscribe") {
      const made = unitsFor(home, one.amount, mark);
      units += made;
      paidIn += one.amount;
      return { units: made, payout: 0n, fee: 0n };
    }
    const { payout, fee } = payoutFor(home, one.units, mark);
    units -= one.units;
    payable += payout;
    return { units: one.units, payout, fee };
  });
  return { executed, units, paidIn, payable };
}

/**
 * What a holder earned between two marks: units × change of NAV, half a minor unit nowhere: down
 * for gains, and for losses too.
 */
export function earned(home: Asset, units: bigint, fromNav: bigint, toNav: bigint): bigint {
  const divisor = divisorOf(home);
  const product = units * (toNav - fromNav);
  return product >= 0n ? product / divisor : -divideUp(-product, divisor);
}
