import { useEffect } from "react";
import { type Location, useNavigationType } from "react-router";

let arrivedAt: string | null = null;

/** On each navigation: up to the top, and the focus on the heading, so that it is read out. A changed query in place is none. */
export function Arrival({ at }: { at: Location }) {
  const type = useNavigationType();
  useEffect(() => {
    const from = arrivedAt;
    arrivedAt = at.pathname + at.search;
    const inPlace = type === "REPLACE" && from?.split("?")[0] === at.pathname;
    if (from === null || from === arrivedAt || inPlace) return;
    window.scrollTo(0, 0);
    visibleHeading()?.focus({ preventScroll: true });
  }, [at, type]);
  return null;
}

/** Hidden kept screens have headings too. */
function visibleHeading(): HTMLElement | undefined {
  const all = document.querySelectorAll<HTMLElement>("[data-page-heading]");
  return [...all].find((heading) => heading.getClientRects().length > 0);
}
