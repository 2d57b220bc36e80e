import type { Contract } from "#api/contracts.ts";
import { toMinorUnits } from "#core/money/decimal.ts";

/**
 * A contract with a price pushed since it was fetched. The price counts for the day's high and low
 * immediately: a low above the price on the same screen would be a contradiction.
 */
export function applyPrice<C extends Contract>(contract: C, price: string | null): C {
  if (price === null) return { ...contract, price };
  const { high_24h: high, low_24h: low, price_scale: scale } = contract;
  const now = toMinorUnits(price, scale);
  return {
    ...contract,
    price,
    high_24h: high === null || toMinorUnits(high, scale) < now ? price : high,
    low_24h: low === null || toMinorUnits(low, scale) > now ? price : low,
  };
}
