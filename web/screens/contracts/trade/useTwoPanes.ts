import { useSyncExternalStore } from "react";

// From 720 px on the ticket stands beside the chart.
const query = "(min-width: 45rem)";

/** Whether the viewport has room for chart and ticket side by side. */
export function useTwoPanes(): boolean {
  return useSyncExternalStore(
    (changed) => {
      const list = matchMedia(query);
      list.addEventListener("change", changed);
      return () => list.removeEventListener("change", changed);
    },
    () => matchMedia(query).matches,
  );
}
