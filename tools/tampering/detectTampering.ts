import type { Tampering } from "./changes.ts";
import type { Detector } from "./detectors.ts";

/** A change, and its detector: null if none detected it. */
export interface TamperingResult {
  kind: string;
  title: string;
  detector: string | null;
  /** The detectors that could not check, each with the reason. */
  unableDetectors: readonly string[];
  findings: string;
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
  for (const { name, detect } of detectors) {
    const detected = await detect(kind).catch((error: Error) => {
      unableDetectors.push(`${name}: ${error.message}`);
      return null;
    });
    if (detected !== null && performance.now() - fromMs <= limitMs)
      return {
        kind,
        title,
        detector: name,
        unableDetectors,
        findings: detected,
        seconds: seconds(),
      };
  }
  return {
    kind,
    title,
    detector: null,
    unableDetectors,
    findings: "",
    seconds: seconds(),
  };
}
