/** One part of the program that must be stopped. */
export interface StoppablePart {
  /** The part's name in messages, such as "the web server". */
  what: string;
  stop: () => Promise<void> | void;
  /** Real milliseconds it may take; half a minute if left out. */
  limitMs?: number;
}

interface StopFailure {
  what: string;
  error: unknown;
}

/** Everything was asked to stop, and some of it failed or did not finish in time. */
export class StopError extends Error {
  readonly failures: readonly StopFailure[];
  constructor(failures: readonly StopFailure[]) {
    super(`Not everything stopped as it should: ${failures.map(({ what }) => what).join(", ")}.`);
    this.name = "StopError";
    this.failures = failures;
  }
}

/**
 * How long a part may take to stop before the next one is stopped anyway. Calls have ended by then,
 * and uncommitted work of jobs is rolled back.
 */
const partMs = 30_000;

/**
 * Stops all parts in turn, last one first, even if some of them fail. Throws a StopError in the end
 * if one failed or did not finish in time.
 */
export async function stopAll(parts: StoppablePart[]): Promise<void> {
  const failures: StopFailure[] = [];
  for (let part = parts.pop(); part; part = parts.pop()) {
    const { what, stop, limitMs = partMs } = part;
    try {
      await withTimeout(limitMs, stop);
    } catch (error) {
      failures.push(...(error instanceof StopError ? error.failures : [{ what, error }]));
    }
  }
  if (failures.length > 0) throw new StopError(failures);
}

async function withTimeout(limitMs: number, stop: StoppablePart["stop"]): Promise<void> {
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => timeout.reject(new Error(`did not stop within ${limitMs / 1000} s`)),
    limitMs,
  );
  try {
    await Promise.race([stop(), timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}
