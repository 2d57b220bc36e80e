import type { LeaseRun } from "#core/monte-carlo/leases.ts";
import type { Jobs } from "./jobs.ts";
import { saveRun } from "./saveRun.ts";

/** Saves a run of a lease with all that it was computed from (docs/rules/monte-carlo.md). */
export function saveLeaseRun({ klines, lease }: Jobs["lease"], run: LeaseRun): void {
  const { plan, network } = lease;
  saveRun(`monte-carlo-lease-${run.seed}.json`, {
    format: "drydock.monte-carlo.lease/1",
    practice: true,
    backing: "none",
    seed: run.seed,
    hashrate_ghs: plan.hashrateGhs,
    power_w: plan.powerW,
    price_per_day: plan.pricePerDay,
    per_kwh: plan.pricePerKwh,
    pool_fee_bp: plan.poolFeeBp,
    quantity: plan.quantity,
    days: plan.days,
    height: network.height,
    difficulty: network.difficulty,
    fee_sum: network.feeSum,
    btc_price: lease.btcPrice,
    difficulty_changes: lease.difficulties,
    klines: klines.map(({ openMs, close }) => [openMs, close]),
    below: run.below,
    spread: run.spread,
  });
}
