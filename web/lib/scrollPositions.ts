import { createEntryState } from "./entryState.ts";

/** Scroll position in CSS pixels of each visited history entry. */
const positions = createEntryState("scroll", (value) => typeof value === "number");
let current: { key: string; was: number } | null = null;

/** How long, in milliseconds, a screen may take to grow back to its earlier height. */
const growsForMs = 3_000;

/**
 * Records scrolling under history entry `key` from now on, and remembers its previous position for
 * `restoreScroll`.
 */
export function trackScroll(key: string): () => void {
  current = { key, was: positions.get(key) ?? 0 };
  const keep = () => positions.set(key, window.scrollY);
  window.addEventListener("scroll", keep, { passive: true });
  return () => window.removeEventListener("scroll", keep);
}

/** Scrolls to the top, as when the current tab is pressed. */
export function scrollToTop(): void {
  const hasReducedMotion = matchMedia("(prefers-reduced-motion: reduce)").matches;
  window.scrollTo({ top: 0, behavior: hasReducedMotion ? "instant" : "smooth" });
}

/**
 * Scrolls back to where history entry `key` was left, and again as rows load, until the page is
 * tall enough or the reader scrolls. Returns a function that stops this.
 */
export function restoreScroll(key: string): () => void {
  const top = current?.key === key ? current.was : 0;
  const growth = new ResizeObserver(() => step());
  const end = () => {
    growth.disconnect();
    clearTimeout(timer);
    for (const name of ["wheel", "touchstart", "keydown"]) window.removeEventListener(name, end);
  };
  const step = () => {
    window.scrollTo(0, top);
    if (Math.abs(window.scrollY - top) < 2) end();
  };
  const timer = setTimeout(end, growsForMs);
  for (const name of ["wheel", "touchstart", "keydown"]) {
    window.addEventListener(name, end, { passive: true });
  }
  growth.observe(document.body);
  step();
  return end;
}
