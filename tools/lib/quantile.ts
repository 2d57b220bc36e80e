/** The value below which a share of `sorted` (ascending) is; NaN if there are none. */
export function computeQuantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
