/**
 * Durations in milliseconds. A day is 24 hours: neither world time nor real time has daylight
 * saving.
 */
export const secondMs = 1_000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** Number of the day (UTC) since 1970 that a moment of real time is in. */
export function toRealDay(realMs: number): number {
  return Math.floor(realMs / dayMs);
}

/** The first millisecond of the day (UTC) that a moment is in, of real or world time. */
export function dayStartMs(realMs: number): number {
  return toRealDay(realMs) * dayMs;
}

/** The first millisecond of the next day. */
export function nextDayMs(realMs: number): number {
  return dayStartMs(realMs) + dayMs;
}
