export interface ComponentHealth {
  ok: boolean;
  /** Real milliseconds behind; null where lag does not apply. */
  lag_ms: number | null;
  note: string;
  /** For a pooled resource: the amounts in use and in total, and the number of waiters. */
  in_use?: number;
  size?: number;
  waiting?: number;
}

/** Checks one component; a check that throws counts as not ready. */
export type HealthCheck = () => Promise<ComponentHealth>;

/** A log further ahead of the clock than this was written under a clock that was wrong. */
const aheadMaxMs = 2_000;

/**
 * Checks a component that trails the world: ready while its lag is at most `lagMaxMs` (docs/rules/market.md:
 * 10 s for feed and log), and while it is not ahead of the clock.
 */
export function createLagCheck(
  lagMs: () => Promise<number | null>,
  lagMaxMs = 10_000,
): HealthCheck {
  return async () => {
    const lag = await lagMs();
    if (lag === null) return { ok: false, lag_ms: null, note: "has not begun" };
    if (lag < -aheadMaxMs) {
      const seconds = Math.round(-lag / 1_000);
      return { ok: false, lag_ms: lag, note: `is ${seconds} s ahead of the clock` };
    }
    return { ok: lag <= lagMaxMs, lag_ms: lag, note: lag <= lagMaxMs ? "keeps up" : "is behind" };
  };
}
