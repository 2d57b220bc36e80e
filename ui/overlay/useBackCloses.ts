import { useEffect, useEffectEvent, useState } from "react";
import { createOverlayHistory, type OverlayHistory } from "#ui/overlay/overlayHistory.ts";

let sharedHistory: OverlayHistory | null = null;

function overlayHistory(): OverlayHistory {
  if (!sharedHistory) {
    sharedHistory = createOverlayHistory(window.history);
    window.addEventListener("popstate", sharedHistory.popped);
  }
  return sharedHistory;
}

/** While `open`, the browser's "back" calls `close`. */
export function useBackCloses(open: boolean, close: () => void): void {
  const onBack = useEffectEvent(close);
  // Counts presses of "back": an overlay that stays open, for example while sending, needs a new
  // entry.
  const [presses, setPresses] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each press takes the entry away.
  useEffect(() => {
    if (!open) return;
    return overlayHistory().enter(() => {
      onBack();
      setPresses((before) => before + 1);
    });
  }, [open, presses]);
}
