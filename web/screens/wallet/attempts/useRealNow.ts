import { useEffect, useState } from "react";

/**
 * Real time in milliseconds by this device's clock, updated every minute: days and limits depend on
 * it.
 */
export function useRealNow(): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = window.setInterval(() => setNowMs(Date.now()), 60_000);
    return () => window.clearInterval(timer);
  }, []);
  return nowMs;
}
