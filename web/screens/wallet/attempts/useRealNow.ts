import { useEffect, useState } from "react";

/** Real time in milliseconds, by this device's clock, once a minute: days and limits go by it. */
export function useRealNow(): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = window.setInterval(() => setNowMs(Date.now()), 60_000);
    return () => window.clearInterval(timer);
  }, []);
  return nowMs;
}
