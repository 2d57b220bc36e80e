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
  /** World time as if the recording had not ended; shows that due work is overdue. */
  uncappedMs(): number;
  /** The pause that was announced or that holds; null if there is none. */
  pause(): { atMs: number; isReached: boolean } | null;
  /** Real milliseconds since `realMs` in which the clock was paused. */
  pausedSinceMs(realMs: number): number;
  /** Resolves as soon as world time reaches `atMs`; rejects with the signal's reason on abort. */
  until(atMs: number, signal?: AbortSignal): Promise<void>;
}

/** This machine's clock, for programs without a world; a world's processes share `databaseClock`. */
export const realClock: RealClock = { nowMs: () => Date.now() };

/**
 * A stretch of real time in which world time does not move (docs/rules/time.md, "Pauses of a
 * class"). One that ends before it was reached was cancelled.
 */
export interface ClockPause {
  /** Counts up from 1. */
  ordinal: number;
  /** World time at which it begins, a whole second. */
  atMs: number;
  /** Real time at which world time resumes; null if not known yet. */
  resumedRealMs: number | null;
}

/** A clock to which the world's pauses can be applied. */
export interface PausableClock extends WorldClock {
  /** Applies a pause, or the end of a known one, in any order. */
  applyPause(pause: ClockPause): void;
}

/** A point at which world time and real time coincide; world time is a straight line through it. */
export interface ClockAnchor {
  worldMs: number;
  realMs: number;
  speed: number;
  /** World time stops here; null or absent: never. */
  endMs?: number | null;
}

/** Returns true if world time has stopped for good. */
export function hasEnded(clock: Pick<WorldClock, "endMs" | "uncappedMs">): boolean {
  return clock.endMs !== null && clock.uncappedMs() >= clock.endMs;
}

/** Returns true if world time is paused until further notice. */
export function isPaused(clock: Pick<WorldClock, "pause">): boolean {
  return clock.pause()?.isReached ?? false;
}

/** The real time at which a clock on `anchor` reaches `atMs`. */
function toRealMs(anchor: ClockAnchor, atMs: number): number {
  return anchor.realMs + (atMs - anchor.worldMs) / anchor.speed;
}

/**
 * The straight stretches of world time: from the anchor, and from the end of each pause; with the
 * pause that each one ends in.
 */
function getStretches(
  anchor: ClockAnchor,
  pauses: readonly ClockPause[],
): { anchor: ClockAnchor; pause: ClockPause | null; pausedRealMs: number }[] {
  const stretches = [];
  let from = anchor;
  for (const pause of pauses) {
    const pausedRealMs = toRealMs(from, pause.atMs);
    const { resumedRealMs } = pause;
    if (resumedRealMs !== null && resumedRealMs <= pausedRealMs) continue;
    stretches.push({ anchor: from, pause, pausedRealMs });
    if (resumedRealMs === null) return stretches;
    from = { ...anchor, worldMs: pause.atMs, realMs: resumedRealMs };
  }
  return [...stretches, { anchor: from, pause: null, pausedRealMs: Number.POSITIVE_INFINITY }];
}

/**
 * A running clock: `anchor.worldMs + (real − anchor.realMs) × speed`, stopped during pauses.
 * Monotonic.
 */
export function createRunningClock(anchor: ClockAnchor, real: RealClock): PausableClock {
  const endMs = anchor.endMs ?? null;
  const pauses = new Map<number, ClockPause>();
  let stretches = getStretches(anchor, []);
  let latestMs = 0;
  const recheck = new Set<() => void>();
  const uncappedMs = () => {
    const realMs = real.nowMs();
    const stretch =
      stretches.findLast((stretch) => realMs >= stretch.anchor.realMs) ?? stretches[0]!;
    const { worldMs, realMs: fromMs, speed } = stretch.anchor;
    const ms = Math.floor(worldMs + (realMs - fromMs) * speed);
    latestMs = Math.max(latestMs, Math.min(ms, stretch.pause?.atMs ?? ms));
    return latestMs;
  };
  const nowMs = () => Math.min(uncappedMs(), endMs ?? Number.MAX_SAFE_INTEGER);
  const pause = () => {
    const realMs = real.nowMs();
    const open = stretches.find(
      (stretch) =>
        stretch.pause !== null &&
        (stretch.pause.resumedRealMs ?? Number.POSITIVE_INFINITY) > realMs,
    )?.pause;
    return open ? { atMs: open.atMs, isReached: nowMs() >= open.atMs } : null;
  };
  return {
    kind: "real",
    speed: anchor.speed,
    endMs,
    nowMs,
    uncappedMs,
    pause,
    pausedSinceMs: (realMs) => {
      const untilMs = real.nowMs();
      const lengths = stretches.map(({ pause: clockPause, pausedRealMs }) =>
        clockPause === null
          ? 0
          : Math.min(clockPause.resumedRealMs ?? untilMs, untilMs) - Math.max(pausedRealMs, realMs),
      );
      return lengths.reduce((sum, length) => sum + Math.max(0, length), 0);
    },
    applyPause: (clockPause) => {
      // A pause that was read before its end was announced arrives after it.
      if (clockPause.resumedRealMs === null && pauses.get(clockPause.ordinal)?.resumedRealMs)
        return;
      pauses.set(clockPause.ordinal, clockPause);
      const inOrder = [...pauses.values()].toSorted((a, b) => a.ordinal - b.ordinal);
      stretches = getStretches(anchor, inOrder);
      for (const check of recheck) check();
    },
    until: (atMs, signal) =>
      new Promise((resolve, reject) => {
        let timer: NodeJS.Timeout;
        const stop = () => {
          clearTimeout(timer);
          recheck.delete(check);
          reject(signal?.reason);
        };
        const check = () => {
          clearTimeout(timer);
          const waitMs = (atMs - nowMs()) / anchor.speed;
          if (waitMs > 0) {
            timer = setTimeout(check, Math.min(Math.ceil(waitMs), 60_000));
            return;
          }
          recheck.delete(check);
          signal?.removeEventListener("abort", stop);
          resolve();
        };
        if (signal?.aborted) return stop();
        signal?.addEventListener("abort", stop, { once: true });
        recheck.add(check);
        check();
      }),
  };
}

/** A clock that moves only through `advanceTo`. For test worlds. */
export interface DrivenClock extends PausableClock {
  readonly kind: "driven";
  /**
   * Moves time forward, to a pause at most, and wakes everyone waiting for a time up to it. Throws a
   * RangeError if `atMs` is in the past.
   */
  advanceTo(atMs: number): void;
}

export function createDrivenClock(startMs: number, endMs: number | null = null): DrivenClock {
  let movedToMs = startMs;
  let currentMs = startMs;
  let pause: ClockPause | null = null;
  const waiters = new Set<{ atMs: number; wake: () => void }>();
  return {
    kind: "driven",
    speed: 1,
    endMs,
    nowMs: () => currentMs,
    uncappedMs: () => movedToMs,
    pause: () => pause && { atMs: pause.atMs, isReached: currentMs >= pause.atMs },
    pausedSinceMs: () => 0,
    applyPause: (clockPause) => {
      if (clockPause.resumedRealMs === null) pause = clockPause;
      else if (pause?.ordinal === clockPause.ordinal) pause = null;
    },
    until: (atMs, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        if (currentMs >= atMs) return resolve();
        const stop = () => {
          waiters.delete(entry);
          reject(signal?.reason);
        };
        const entry = {
          atMs,
          wake: () => {
            signal?.removeEventListener("abort", stop);
            resolve();
          },
        };
        waiters.add(entry);
        signal?.addEventListener("abort", stop, { once: true });
      }),
    advanceTo: (atMs) => {
      if (atMs < movedToMs) throw new RangeError("world time cannot go back");
      movedToMs = Math.min(atMs, pause?.atMs ?? atMs);
      currentMs = Math.min(movedToMs, endMs ?? atMs);
      for (const entry of waiters) {
        if (entry.atMs > currentMs) continue;
        waiters.delete(entry);
        entry.wake();
      }
    },
  };
}
