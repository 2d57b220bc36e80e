import { useEffect, useLayoutEffect } from "react";
import { type Location, useNavigationType } from "react-router";
import { keepScrollOf, returnTo } from "#web/lib/scrollMemory.ts";

let arrivedAt: string | null = null;

/**
 * On each navigation: scrolls to the top, or on "back" to the previous position, and focuses the
 * heading so that it is announced. Replacing the query in place is not a navigation.
 */
export function Arrival({ at }: { at: Location }) {
  const type = useNavigationType();
  // Runs before the browser reports a scroll that the new screen's height forced.
  useLayoutEffect(() => keepScrollOf(at.key), [at.key]);
  useEffect(() => {
    const from = arrivedAt;
    arrivedAt = at.pathname + at.search;
    const inPlace = type === "REPLACE" && from?.split("?")[0] === at.pathname;
    if (from === null || from === arrivedAt || inPlace) return undefined;
    visibleHeading()?.focus({ preventScroll: true });
    if (type === "POP") return returnTo(at.key);
    window.scrollTo(0, 0);
    return undefined;
  }, [at, type]);
  return null;
}

/** Hidden kept screens have headings too. */
function visibleHeading(): HTMLElement | undefined {
  const all = document.querySelectorAll<HTMLElement>("[data-page-heading]");
  return [...all].find((heading) => heading.getClientRects().length > 0);
}
