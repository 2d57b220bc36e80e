import type { Tampering } from "./changes.ts";
import type { Detector } from "./detectors.ts";

/** A change, and its detector; `by` is null if none detected it. */
export interface TamperingResult {
  kind: string;
  title: string;
  by: string | null;
  /** The detectors that could not check, each with the reason. */
  unable: readonly string[];
  saw: string;
  seconds: number;
}

/** A change not detected within this time counts as undetected. */
const limitMs = 60_000;

/**
 * Runs one detector after another until one names the change. A detector that cannot check has
 * found nothing.
 */
export async function detectTampering(
  { kind, title }: Pick<Tampering, "kind" | "title">,
  detectors: readonly Detector[],
): Promise<TamperingResult> {
  const fromMs = performance.now();
  const unableDetectors: string[] = [];
  const seconds = () => (performance.now() - fromMs) / 1_000;
  for (const { name, look } of detectors) {
    const detected = await look(kind).catch((error: Error) => {
      unableDetectors.push(`${name}: ${error.message}`);
      return null;
    });
    if (detected !== null && performance.now() - fromMs <= limitMs)
      return { kind, title, by: name, unable: unableDetectors, saw: detected, seconds: seconds() };
  }
  return { kind, title, by: null, unable: unableDetectors, saw: "", seconds: seconds() };
}
