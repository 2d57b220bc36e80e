import { divideHalfEven } from "#core/money/rounding.ts";

/**
 * The confidences that can be stated: 50 % is a coin flip, and less would be the other direction.
 */
export const confidenceLimits = { min: 50, max: 100 } as const;
/** Characters of a reason. */
export const reasonMax = 200;

/** A belief whose outcome is known: how sure, in whole percent, and whether it came true. */
export interface ResolvedBelief {
  confidence: number;
  right: boolean;
}

interface CalibrationStep {
  /** The range of stated confidence in percent, both ends inclusive. */
  from: number;
  to: number;
  count: number;
  right: number;
  /** Mean stated confidence, in basis points. */
  stated_bp: number;
}

export interface Calibration {
  count: number;
  right: number;
  /**
   * Mean of (confidence − outcome)², in ten-thousandths, rounded half to even: 0 is perfect; always
   * saying 50 % scores 2 500. Source: G. W. Brier, 1950.
   */
  brier: number;
  /** The number of right beliefs that the stated confidences predict, in hundredths. */
  expected: number;
  steps: CalibrationStep[];
}

/** The Brier score of someone who always says 50 %. */
export const brierAtHalf = 2_500;

const stepStarts = [50, 60, 70, 80, 90] as const;

/** Compares beliefs with their outcomes; null if there are none. */
export function computeCalibration(beliefs: readonly ResolvedBelief[]): Calibration | null {
  if (beliefs.length === 0) return null;
  const squares = beliefs.reduce((sum, { confidence, right }) => {
    const error = right ? 100 - confidence : confidence;
    return sum + error * error;
  }, 0);
  const steps = stepStarts.flatMap((from) => {
    const to = from === 90 ? 100 : from + 9;
    const resolvedBeliefs = beliefs.filter(
      ({ confidence }) => confidence >= from && confidence <= to,
    );
    if (resolvedBeliefs.length === 0) return [];
    const statedSum = resolvedBeliefs.reduce((sum, { confidence }) => sum + confidence, 0);
    const rightCount = resolvedBeliefs.filter((belief) => belief.right).length;
    return [
      {
        from,
        to,
        count: resolvedBeliefs.length,
        right: rightCount,
        stated_bp: Math.round((statedSum * 100) / resolvedBeliefs.length),
      },
    ];
  });
  return {
    count: beliefs.length,
    right: beliefs.filter(({ right }) => right).length,
    brier: Number(divideHalfEven(BigInt(squares), BigInt(beliefs.length))),
    expected: beliefs.reduce((sum, { confidence }) => sum + confidence, 0),
    steps,
  };
}
