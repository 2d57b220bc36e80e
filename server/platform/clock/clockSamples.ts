/** The three clocks at one moment, in milliseconds. */
export interface ClockSample {
  monotonicMs: number;
  /** This machine's clock. */
  wallMs: number;
  databaseMs: number;
  /** How long reading the database's clock took: the sample is uncertain by half of it. */
  roundTripMs: number;
}

export interface ClockState {
  /** Real time minus the monotonic clock. */
  offsetMs: number;
  /** Real time just after its last step forward; null: never. */
  steppedAtMs: number | null;
  /** The last sample that counted. */
  sample: ClockSample;
}

/** Above this, a clock was set or stopped; below it, it only drifts. */
export const differenceMaxMs = 2_000;
/** Samples that took longer are ignored. */
export const roundTripMaxMs = 500;
/** How fast real time may follow a drifting database clock: 5 %. */
const slewRate = 0.05;

/** Real time begins at the database's time, or with a known offset. */
export function startClockState(sample: ClockSample, offsetMs: number | null): ClockState {
  const previousOffsetMs = offsetMs ?? sample.databaseMs - sample.monotonicMs;
  return { offsetMs: previousOffsetMs, steppedAtMs: null, sample };
}

/**
 * Real time after another sample. Two of three witnesses decide (this process's monotonic clock,
 * the machine's clock, the database's clock):
 *
 * - The database's clock within two seconds: follow it slowly.
 * - Machine and database both ahead by the same: the machine slept, or both were corrected; step
 *   forward.
 * - One of them alone, or both back: keep the monotonic clock's pace.
 *
 * World time would have to go back to follow a step back, which it never does.
 */
export function nextClockState(state: ClockState, sample: ClockSample): ClockState {
  if (sample.roundTripMs > roundTripMaxMs) return state;
  const next = { ...state, sample };
  const { databaseMs, wallMs } = getAhead(next);
  if (Math.abs(databaseMs) <= differenceMaxMs) {
    const elapsedMs = Math.max(0, sample.monotonicMs - state.sample.monotonicMs);
    const certainMs = Math.max(0, Math.abs(databaseMs) - sample.roundTripMs / 2);
    const slewMs = Math.min(certainMs, elapsedMs * slewRate);
    return { ...next, offsetMs: state.offsetMs + Math.sign(databaseMs) * slewMs };
  }
  const agree = Math.abs(wallMs - databaseMs) <= differenceMaxMs;
  if (!agree || databaseMs < 0) return next;
  return {
    ...next,
    offsetMs: sample.databaseMs - sample.monotonicMs,
    steppedAtMs: Math.floor(sample.databaseMs),
  };
}

/** By how much both clocks were ahead of real time in the last sample that counted. */
function getAhead({ offsetMs, sample }: ClockState): { wallMs: number; databaseMs: number } {
  const nowMs = sample.monotonicMs + offsetMs;
  return { wallMs: sample.wallMs - nowMs, databaseMs: sample.databaseMs - nowMs };
}

/** Which clocks are off by more than two seconds, as a sentence for `/api/health`; null: none. */
export function describeDifferences(state: ClockState): string | null {
  const ahead = getAhead(state);
  const off = (
    [
      ["this machine's clock", ahead.wallMs],
      ["the database's clock", ahead.databaseMs],
    ] as const
  ).filter(([, ms]) => Math.abs(ms) > differenceMaxMs);
  if (off.length === 0) return null;
  const parts = off.map(
    ([name, ms]) =>
      `${name} is ${Math.round(Math.abs(ms) / 1_000)} s ${ms > 0 ? "ahead of" : "behind"} the instance's time`,
  );
  return parts.join(" and ");
}
