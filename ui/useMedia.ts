import { useSyncExternalStore } from "react";

/** Returns true if a media query matches; re-renders when that changes. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (onStoreChange) => {
      const list = matchMedia(query);
      list.addEventListener("change", onStoreChange);
      return () => list.removeEventListener("change", onStoreChange);
    },
    () => matchMedia(query).matches,
  );
}
