import { dayMs, minuteMs } from "#core/money/time.ts";

/**
 * When a job runs next after `fromMs`: for an interval, that many seconds after its last end; for a
 * cron line, the next matching minute. Supports minute and hour, each as any, a step, or a number,
 * followed by `* * *`; null for any other line, and for a loop.
 */
export function nextRun(schedule: string | number | null, fromMs: number): number | null {
  if (schedule === null) return null;
  if (typeof schedule === "number") return fromMs + schedule * 1000;
  const [minute, hour, ...rest] = schedule.split(" ");
  if (minute === undefined || hour === undefined || rest.join(" ") !== "* * *") return null;
  const minutes = fitting(minute, 60);
  const hours = fitting(hour, 24);
  if (!minutes || !hours) return null;
  const firstMs = (Math.floor(fromMs / minuteMs) + 1) * minuteMs;
  for (let atMs = firstMs; atMs < firstMs + dayMs; atMs += minuteMs) {
    const at = new Date(atMs);
    if (minutes(at.getUTCMinutes()) && hours(at.getUTCHours())) return atMs;
  }
  return null;
}

function fitting(field: string, below: number): ((value: number) => boolean) | null {
  if (field === "*") return () => true;
  const step = /^\*\/(\d+)$/.exec(field)?.[1];
  if (step !== undefined) return Number(step) > 0 ? (value) => value % Number(step) === 0 : null;
  const only = /^\d+$/.test(field) ? Number(field) : Number.NaN;
  return only < below ? (value) => value === only : null;
}
