import { useEffect, useState } from "react";
import { cx } from "#ui/cx.ts";

export interface CountdownProps {
  /** World or real time in milliseconds. */
  untilMs: number;
  /** The clock that `untilMs` refers to, in milliseconds. */
  now: () => number;
  onEnd?: (() => void) | undefined;
  className?: string;
}

/** `75 000` is "1:15", an hour "1:00:00"; rounded up to the second, never below zero. */
export function countdownText(leftMs: number): string {
  const seconds = Math.max(0, Math.ceil(leftMs / 1000));
  const twoDigits = (value: number) => String(value).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  return hours > 0
    ? `${hours}:${twoDigits(minutes)}:${twoDigits(seconds % 60)}`
    : `${minutes}:${twoDigits(seconds % 60)}`;
}

/** The time left, with the role of a timer: assistive technology does not announce every second. */
export function Countdown({ untilMs, now, onEnd, className }: CountdownProps) {
  const [leftMs, setLeftMs] = useState(() => untilMs - now());
  useEffect(() => {
    const tick = () => {
      const remainingMs = untilMs - now();
      setLeftMs(remainingMs);
      if (remainingMs > 0) return;
      window.clearInterval(timer);
      onEnd?.();
    };
    const timer = window.setInterval(tick, 250);
    tick();
    return () => window.clearInterval(timer);
  }, [untilMs, now, onEnd]);
  return (
    <span role="timer" className={cx("tabular-nums", className)}>
      {countdownText(leftMs)}
    </span>
  );
}
