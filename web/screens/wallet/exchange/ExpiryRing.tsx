import { useEffect, useState } from "react";
import { useText } from "#i18n/useText.ts";

interface RingProps {
  /** By this page's own clock (`performance.now`). */
  untilMs: number;
  firmMs: number;
}

const radius = 20;
const circumference = 2 * Math.PI * radius;

/**
 * How long a quote is still firm, as a ring that empties around the seconds left. Has the role of a
 * timer.
 */
export function ExpiryRing({ untilMs, firmMs }: RingProps) {
  const t = useText();
  const [leftMs, setLeftMs] = useState(() => untilMs - performance.now());
  useEffect(() => {
    const timer = window.setInterval(() => {
      const remainingMs = untilMs - performance.now();
      setLeftMs(remainingMs);
      if (remainingMs <= 0) window.clearInterval(timer);
    }, 100);
    return () => window.clearInterval(timer);
  }, [untilMs]);
  const part = Math.min(1, Math.max(0, leftMs / firmMs));
  return (
    <div className="relative grid size-14 shrink-0 place-items-center">
      <svg viewBox="0 0 48 48" className="absolute inset-0 -rotate-90" aria-hidden="true">
        <circle cx="24" cy="24" r={radius} fill="none" strokeWidth="3" className="stroke-line" />
        <circle
          cx="24"
          cy="24"
          r={radius}
          fill="none"
          strokeWidth="3"
          strokeDasharray={circumference}
          strokeDashoffset={circumference * (1 - part)}
          className="stroke-ink"
        />
      </svg>
      <span role="timer" aria-label={t("exchange.timer")} className="text-small tabular-nums">
        {Math.max(0, Math.ceil(leftMs / 1000))}
      </span>
    </div>
  );
}
