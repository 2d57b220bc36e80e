import { computeEarned } from "#core/hosting/pool.ts";
import { dayMs } from "#core/money/time.ts";
import type { PoolDay, UnitChange } from "#server/hosting/store.ts";

/** The earnings of one attempt in one pool on one world day. */
export interface DayEarned {
  poolId: string;
  dayMs: number;
  /** At the day's last mark. */
  units: bigint;
  navFrom: bigint;
  navTo: bigint;
  /**
   * Signed minor units: units × change of NAV, summed over the intervals between changes of units.
   */
  earned: bigint;
  fees: bigint;
}

/**
 * Computes daily earnings of one pool from a person's few unit changes and the pool's days;
 * earnings are not stored anywhere. `changes` and `days` are that pool's, oldest first. Skips days
 * with neither units nor a change of them.
 */
export function computeEarnings(
  changes: readonly UnitChange[],
  days: readonly PoolDay[],
): DayEarned[] {
  const earnings: DayEarned[] = [];
  let units = 0n;
  let next = 0;
  for (const day of days) {
    let nav = day.open;
    let sum = 0n;
    let fees = 0n;
    const unitsBefore = units;
    const first = next;
    for (; next < changes.length && changes[next]!.atMs < day.dayMs + dayMs; next += 1) {
      const change = changes[next]!;
      sum += computeEarned("USDT", units, nav, change.nav);
      nav = change.nav;
      units += change.units;
      fees += change.fee;
    }
    sum += computeEarned("USDT", units, nav, day.close);
    if (unitsBefore === 0n && next === first) continue;
    const { poolId, dayMs: atMs } = day;
    // The day on which units were first issued starts at the NAV they were issued at.
    const navFrom = unitsBefore === 0n ? changes[first]!.nav : day.open;
    earnings.push({ poolId, dayMs: atMs, units, navFrom, navTo: day.close, earned: sum, fees });
  }
  return earnings;
}
