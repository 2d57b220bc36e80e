import { useSyncExternalStore } from "react";

// The breakpoint `wide` of ui/tokens.css.
const query = "(min-width: 64rem)";

/** Whether there is room beside the column. */
export function useWide(): boolean {
  return useSyncExternalStore(
    (changed) => {
      const list = matchMedia(query);
      list.addEventListener("change", changed);
      return () => list.removeEventListener("change", changed);
    },
    () => matchMedia(query).matches,
  );
}
