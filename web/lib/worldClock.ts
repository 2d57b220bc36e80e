/**
 * World time in the browser: set from the server, advanced by the device's monotonic clock at the
 * world's speed.
 */
let anchor: { worldMs: number; steadyMs: number; speed: number; paused: boolean } | null = null;

/** Sets the clock from the configuration. */
export function setWorldClock(worldMs: number, speed: number, paused: boolean): void {
  anchor = { worldMs, steadyMs: performance.now(), speed, paused };
}

/** A world second has closed: the clock may be ahead of it, never behind. */
export function noteSecond(secondMs: number): void {
  if (anchor && !anchor.paused && worldNowMs() < secondMs) {
    anchor = { ...anchor, worldMs: secondMs, steadyMs: performance.now() };
  }
}

/** Current world time in milliseconds; the device's clock until the configuration has loaded. */
export function worldNowMs(): number {
  if (!anchor) return Date.now();
  if (anchor.paused) return anchor.worldMs;
  return anchor.worldMs + (performance.now() - anchor.steadyMs) * anchor.speed;
}
