import type { Machine } from "#api/mining.ts";
import { coinScale } from "#core/money/coins.ts";
import { toMinorUnits } from "#core/money/decimal.ts";

export const sortKeys = ["leaves", "price", "efficiency"] as const;
export type SortKey = (typeof sortKeys)[number];

const scale = coinScale("pUSDT");

/**
 * The key that a machine is sorted by, smallest first; null where it is not known, which comes
 * last.
 */
const getSortKey: Readonly<Record<SortKey, (machine: Machine) => bigint | number | null>> = {
  leaves: ({ expected }) => (expected ? -toMinorUnits(expected.net, scale) : null),
  price: ({ price_per_day: price }) => toMinorUnits(price, scale),
  efficiency: ({ joules_per_th: joules }) => Number(joules),
};

/** Machines by what would be left per day, price per day or energy per hash, the best first. */
export function sortMachines(machines: readonly Machine[], by: SortKey): Machine[] {
  return machines.toSorted((a, b) => {
    const [keyA, keyB] = [getSortKey[by](a), getSortKey[by](b)];
    if (keyA === null || keyB === null) return keyA === keyB ? 0 : keyA === null ? 1 : -1;
    return keyA < keyB ? -1 : keyA > keyB ? 1 : 0;
  });
}
