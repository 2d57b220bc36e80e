import { useEffect, useState } from "react";

/**
 * Whether it was ever open: from then on it stays mounted, so that its closing animation plays.
 * Preloads its code when the browser is idle, so that the first opening is immediate.
 */
export function useOpened(open: boolean, load: () => Promise<unknown>): boolean {
  const [opened, setOpened] = useState(open);
  if (open && !opened) setOpened(true);
  useEffect(() => {
    const ahead = () => void load().catch(() => undefined);
    if (typeof window.requestIdleCallback !== "function") {
      const timer = window.setTimeout(ahead, 1500);
      return () => window.clearTimeout(timer);
    }
    const handle = window.requestIdleCallback(ahead, { timeout: 5000 });
    return () => window.cancelIdleCallback(handle);
  }, [load]);
  return opened;
}
