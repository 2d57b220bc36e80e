import { useEffect, useState } from "react";
import { useConfig } from "#web/lib/api/useConfig.ts";
import { getWorldNowMs } from "#web/lib/worldClock.ts";

/** The pause of the class that is announced or in effect; null if there is none. */
export function useClassPause(): { atMs: number; isReached: boolean } | null {
  const world = useConfig()?.world;
  const atMs = world?.pause?.at_ms ?? null;
  const speed = world?.market.speed ?? 1;
  const [reachedMs, setReachedMs] = useState<number | null>(null);
  useEffect(() => {
    if (atMs === null) return;
    let timer: number;
    const check = () => {
      const leftMs = (atMs - getWorldNowMs()) / speed;
      if (leftMs <= 0) setReachedMs(atMs);
      // A long timer that fires early would not be set again.
      else timer = window.setTimeout(check, Math.min(leftMs, 60_000));
    };
    check();
    return () => window.clearTimeout(timer);
  }, [atMs, speed]);
  return atMs === null ? null : { atMs, isReached: reachedMs === atMs };
}
