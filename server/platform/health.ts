export interface ComponentHealth {
  ok: boolean;
  /** Real milliseconds behind; null where lag does not apply. */
  lag_ms: number | null;
  note: string;
}

/** Checks one component; a check that throws counts as not ready. */
export type HealthCheck = () => Promise<ComponentHealth>;

/**
 * Checks a component that trails the world: ready while its lag is at most `mostMs` (rules.md: 10 s
 * for feed and log).
 */
export function lagCheck(lagMs: () => Promise<number | null>, mostMs = 10_000): HealthCheck {
  return async () => {
    const lag = await lagMs();
    if (lag === null) return { ok: false, lag_ms: null, note: "has not begun" };
    return { ok: lag <= mostMs, lag_ms: lag, note: lag <= mostMs ? "keeps up" : "is behind" };
  };
}
