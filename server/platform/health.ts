export interface ComponentHealth {
  ok: boolean;
  /** Real milliseconds behind; null where lag does not apply. */
  lag_ms: number | null;
  note: string;
  /** For what is handed out: how much of it is in use, how much there is, who waits. */
  in_use?: number;
  size?: number;
  waiting?: number;
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
