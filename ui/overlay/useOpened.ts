import { useEffect, useState } from "react";
import { whenIdle } from "#ui/whenIdle.ts";

/**
 * Returns true if it was ever open: from then on it stays mounted, so that its closing animation
 * plays. Preloads its code when the browser is idle, so that the first opening is immediate.
 */
export function useWasOpened(open: boolean, load: () => Promise<unknown>): boolean {
  const [wasOpened, setWasOpened] = useState(open);
  if (open && !wasOpened) setWasOpened(true);
  useEffect(() => whenIdle(() => void load().catch(() => undefined)), [load]);
  return wasOpened;
}
