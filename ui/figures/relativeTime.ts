const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** An older moment is shown as its date. */
const daysMax = 30;

/**
 * The unit and count that describe a moment before `nowMs`, `{ value: -5, unit: "minute" }` for
 * five minutes ago; whole units, rounded towards now. Null for one after `nowMs` or more than 30
 * days before it, which is shown as a date.
 */
export function toRelative(
  atMs: number,
  nowMs: number,
): { value: number; unit: "second" | "minute" | "hour" | "day" } | null {
  const ageMs = nowMs - atMs;
  if (ageMs < -minuteMs || ageMs > daysMax * dayMs) return null;
  if (ageMs < minuteMs) return { value: 0, unit: "second" };
  const [unit, sizeMs] =
    ageMs < hourMs
      ? (["minute", minuteMs] as const)
      : ageMs < dayMs
        ? (["hour", hourMs] as const)
        : (["day", dayMs] as const);
  return { value: -Math.floor(ageMs / sizeMs), unit };
}
