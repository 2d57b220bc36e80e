import { useSyncExternalStore } from "react";

// The `wide` breakpoint of ui/tokens.css.
const query = "(min-width: 64rem)";

/** Whether the viewport has room for a side column. */
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
