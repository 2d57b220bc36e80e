import { useEffect, useState } from "react";
import type { Order } from "#api/contracts.ts";
import { useRecentPrices } from "#web/lib/stream.ts";
import { getWorldNowMs } from "#web/lib/worldClock.ts";
import { getPhase, type Phase, type Second } from "./phase.ts";

const tickMs = 250;

/**
 * An order's current phase and the seconds around it; advances with the clock while the order is
 * open.
 */
export function useOrderPhase(order: Order): {
  phase: Phase;
  nowMs: number;
  seconds: readonly Second[];
} {
  const seconds = useRecentPrices(order.symbol);
  const [nowMs, setNowMs] = useState(getWorldNowMs);
  const open = order.status !== "over";
  useEffect(() => {
    if (!open) return;
    const timer = window.setInterval(() => setNowMs(getWorldNowMs()), tickMs);
    return () => window.clearInterval(timer);
  }, [open]);
  return { phase: getPhase(order, nowMs, seconds), nowMs, seconds };
}
