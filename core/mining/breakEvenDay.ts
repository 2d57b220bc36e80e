import {
  computeAccrualPerTh,
  computeSatoshi,
  computeSatoshiWorth,
  type NetworkFigures,
} from "#core/mining/formula.ts";
import { dayMs } from "#core/money/time.ts";

const blocksPerDay = 144;

/** The costs and proceeds of a lease so far. Amounts in minor units. */
export interface LeaseProgress {
  hashrateGhs: bigint;
  poolFeeBp: number;
  /** Days it works. */
  days: number;
  /** Price and power of all its days, less refunds. */
  cost: bigint;
  daysPaid: number;
  mined: bigint;
}

/**
 * The first day of work at whose end a lease has mined its cost, if network and price stay as
 * given: the amount mined so far, then each day at these figures, halvings included. Null if its
 * days are over before that. A projection, never an offer. Source: docs/rules/mining.md.
 */
export function findBreakEvenDay(
  { hashrateGhs, poolFeeBp, days, cost, daysPaid, mined }: LeaseProgress,
  network: NetworkFigures,
  btcPrice: bigint,
): number | null {
  let accrual = 0n;
  for (let day = daysPaid; day <= days; day += 1) {
    const satoshi = mined + computeSatoshi(accrual, hashrateGhs, poolFeeBp);
    if (computeSatoshiWorth(satoshi, btcPrice) >= cost) return day;
    const height = network.height + (day - daysPaid) * blocksPerDay;
    accrual += computeAccrualPerTh({ ...network, height }, dayMs / 1_000);
  }
  return null;
}
