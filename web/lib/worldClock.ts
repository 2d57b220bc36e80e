/**
 * World time in the browser: set from the server, advanced by the device's monotonic clock at the
 * world's speed.
 */
let anchor: {
  worldMs: number;
  steadyMs: number;
  speed: number;
  /** World time stops from here on. */
  stopMs: number;
} | null = null;

/** Sets the clock from the configuration; it stops at `stopMs`, if that is not null. */
export function setWorldClock(worldMs: number, speed: number, stopMs: number | null): void {
  anchor = {
    worldMs,
    steadyMs: performance.now(),
    speed,
    stopMs: stopMs ?? Number.POSITIVE_INFINITY,
  };
}

/** Called when a world second has closed: the clock may be ahead of it, never behind. */
export function advanceWorldClock(secondMs: number): void {
  if (anchor && getWorldNowMs() < Math.min(secondMs, anchor.stopMs)) {
    anchor = { ...anchor, worldMs: secondMs, steadyMs: performance.now() };
  }
}

/** Current world time in milliseconds; the device's clock until the configuration has loaded. */
export function getWorldNowMs(): number {
  if (!anchor) return Date.now();
  const runningMs = anchor.worldMs + (performance.now() - anchor.steadyMs) * anchor.speed;
  return Math.min(runningMs, anchor.stopMs);
}
