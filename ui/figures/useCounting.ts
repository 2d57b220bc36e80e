import { useEffect, useRef, useState } from "react";

const countMs = 400;

/** Returns true if the reader prefers reduced motion, or the page is hidden. */
export function motionIsOff(): boolean {
  return document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/**
 * The value shown after `part` (0 to 1) of the animation from `from` to `to`; it slows down at the
 * end.
 */
export function countAt(from: bigint, to: bigint, part: number): bigint {
  if (part >= 1) return to;
  const eased = 1 - (1 - Math.max(0, part)) ** 3;
  return from + ((to - from) * BigInt(Math.round(eased * 10_000))) / 10_000n;
}

/**
 * Counts from the previous value to `target` in 400 ms; immediately if reduced motion is preferred.
 * `first` is where the first count starts, by default at `target` itself.
 */
export function useCounting(target: bigint, first = target): bigint {
  const [shownAmount, setShownAmount] = useState(() => (motionIsOff() ? target : first));
  const last = useRef(shownAmount);
  useEffect(() => {
    const from = last.current;
    const show = (value: bigint) => {
      last.current = value;
      setShownAmount(value);
    };
    if (from === target) return;
    let frame = 0;
    const start = performance.now();
    const step = (now: number) => {
      const part = motionIsOff() ? 1 : (now - start) / countMs;
      show(countAt(from, target, part));
      if (part < 1) frame = requestAnimationFrame(step);
    };
    frame = requestAnimationFrame(step);
    return () => cancelAnimationFrame(frame);
  }, [target]);
  return shownAmount;
}
