/**
 * Real time in integer milliseconds; governs sessions, nonces, limits and purges. Passed in, never
 * read from a global.
 */
export interface RealClock {
  nowMs(): number;
  /**
   * The time just after this clock last stepped forward, because the machine had slept; null or
   * absent: never.
   */
  steppedAtMs?(): number | null;
}

/**
 * World time in integer milliseconds; governs orders, leases, marks and payouts. A `real` clock
 * runs at the world's speed (1 to 60) from its start; a `driven` one moves only when a test moves
 * it.
 */
export interface WorldClock {
  readonly kind: "real" | "driven";
  readonly speed: number;
  nowMs(): number;
  /**
   * World time at which the clock stops for good because a recording ends; null if it never does.
   */
  readonly endMs: number | null;
  /** World time as if the clock had never stopped; shows that due work is overdue. */
  unpausedMs(): number;
  /** Resolves as soon as world time reaches `atMs`; rejects with the signal's reason on abort. */
  until(atMs: number, signal?: AbortSignal): Promise<void>;
}

/** This machine's clock, for programs without a world; a world's processes share `databaseClock`. */
export const realClock: RealClock = { nowMs: () => Date.now() };

/** A point at which world time and real time coincide; world time is a straight line through it. */
export interface ClockAnchor {
  worldMs: number;
  realMs: number;
  speed: number;
  /** World time stops here; null or absent: never. */
  endMs?: number | null;
}

/** Whether world time has stopped. */
export function isPaused(clock: Pick<WorldClock, "endMs" | "unpausedMs">): boolean {
  return clock.endMs !== null && clock.unpausedMs() >= clock.endMs;
}

/** A clock that runs by itself: `anchor.worldMs + (real − anchor.realMs) × speed`. Monotonic. */
export function createRunningClock(anchor: ClockAnchor, real: RealClock): WorldClock {
  const endMs = anchor.endMs ?? null;
  let latestMs = 0;
  const unpausedMs = () => {
    const ms = Math.floor(anchor.worldMs + (real.nowMs() - anchor.realMs) * anchor.speed);
    latestMs = Math.max(latestMs, ms);
    return latestMs;
  };
  const nowMs = () => Math.min(unpausedMs(), endMs ?? Number.MAX_SAFE_INTEGER);
  return {
    kind: "real",
    speed: anchor.speed,
    endMs,
    nowMs,
    unpausedMs,
    until: (atMs, signal) =>
      new Promise((resolve, reject) => {
        let timer: NodeJS.Timeout;
        const stop = () => {
          clearTimeout(timer);
          reject(signal?.reason);
        };
        const check = () => {
          const waitMs = (atMs - nowMs()) / anchor.speed;
          if (waitMs > 0) {
            timer = setTimeout(check, Math.min(Math.ceil(waitMs), 60_000));
            return;
          }
          signal?.removeEventListener("abort", stop);
          resolve();
        };
        if (signal?.aborted) return stop();
        signal?.addEventListener("abort", stop, { once: true });
        check();
      }),
  };
}

/** A clock that moves only through `advanceTo`. For test worlds. */
export interface DrivenClock extends WorldClock {
  readonly kind: "driven";
  /**
   * Moves time forward and wakes everyone waiting for a time up to it. Throws a RangeError if
   * `atMs` is in the past.
   */
  advanceTo(atMs: number): void;
}

export function createDrivenClock(startMs: number, endMs: number | null = null): DrivenClock {
  let movedToMs = startMs;
  let currentMs = startMs;
  const waiting = new Set<{ atMs: number; wake: () => void }>();
  return {
    kind: "driven",
    speed: 1,
    endMs,
    nowMs: () => currentMs,
    unpausedMs: () => movedToMs,
    until: (atMs, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        if (currentMs >= atMs) return resolve();
        const stop = () => {
          waiting.delete(entry);
          reject(signal?.reason);
        };
        const entry = {
          atMs,
          wake: () => {
            signal?.removeEventListener("abort", stop);
            resolve();
          },
        };
        waiting.add(entry);
        signal?.addEventListener("abort", stop, { once: true });
      }),
    advanceTo: (atMs) => {
      if (atMs < movedToMs) throw new RangeError("world time cannot go back");
      movedToMs = atMs;
      currentMs = Math.min(atMs, endMs ?? atMs);
      for (const entry of waiting) {
        if (entry.atMs > currentMs) continue;
        waiting.delete(entry);
        entry.wake();
      }
    },
  };
}
