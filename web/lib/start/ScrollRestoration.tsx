import { useEffect, useLayoutEffect } from "react";
import { type Location, useNavigationType } from "#ui/router.tsx";
import { isReload } from "#web/lib/entryState.ts";
import { restoreScroll, trackScroll } from "#web/lib/scrollPositions.ts";

let arrivedAt: string | null = null;

/**
 * On each navigation: scrolls to the top, or on "back" to the previous position, and focuses the
 * heading so that it is announced. Replacing the query in place is not a navigation, nor is an
 * entry of the same address, as a sheet has.
 */
export function ScrollRestoration({ at: { key, pathname, search } }: { at: Location }) {
  const type = useNavigationType();
  // Runs before the browser reports a scroll that the new screen's height forced.
  useLayoutEffect(() => trackScroll(key), [key]);
  useEffect(() => {
    const fromEntry = arrivedAt;
    arrivedAt = pathname + search;
    // The browser's own restoration is off, so a reload returns to its position here.
    if (fromEntry === null) return isReload() ? restoreScroll(key) : undefined;
    const inPlace = type === "REPLACE" && fromEntry.split("?")[0] === pathname;
    if (fromEntry === arrivedAt || inPlace) return undefined;
    visibleHeading()?.focus({ preventScroll: true });
    if (type === "POP") return restoreScroll(key);
    window.scrollTo(0, 0);
    return undefined;
  }, [key, pathname, search, type]);
  return null;
}

/** Hidden kept screens have headings too. */
function visibleHeading(): HTMLElement | undefined {
  const headings = document.querySelectorAll<HTMLElement>("[data-page-heading]");
  return [...headings].find((heading) => heading.getClientRects().length > 0);
}
