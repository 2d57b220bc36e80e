/**
 * World time in the browser: set by the server, carried on by the device's steady clock at the
 * world's speed.
 */
let anchor: { worldMs: number; steadyMs: number; speed: number; paused: boolean } | null = null;

/** Sets the clock from the configuration. */
export function setWorldClock(worldMs: number, speed: number, paused: boolean): void {
  anchor = { worldMs, steadyMs: performance.now(), speed, paused };
}

/** A second of the world has closed: the clock can be ahead of it, never behind. */
export function sawSecond(secondMs: number): void {
  if (anchor && !anchor.paused && worldNowMs() < secondMs) {
    anchor = { ...anchor, worldMs: secondMs, steadyMs: performance.now() };
  }
}

/** World time now in milliseconds; the device's own clock until the configuration has come. */
export function worldNowMs(): number {
  if (!anchor) return Date.now();
  if (anchor.paused) return anchor.worldMs;
  return anchor.worldMs + (performance.now() - anchor.steadyMs) * anchor.speed;
}
