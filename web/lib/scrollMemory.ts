/** How far each visited place of the history was scrolled, in CSS pixels, by its key. */
const positions = new Map<string, number>();
let current: { key: string; was: number } | null = null;

/** A screen may need so long, in milliseconds, until it is as high as it was. */
const growsForMs = 3_000;

/**
 * From now on scrolling is that of the place `key`; how far it was scrolled before is kept for
 * `returnTo`.
 */
export function keepScrollOf(key: string): () => void {
  current = { key, was: positions.get(key) ?? 0 };
  const keep = () => positions.set(key, window.scrollY);
  window.addEventListener("scroll", keep, { passive: true });
  return () => window.removeEventListener("scroll", keep);
}

/**
 * Scrolls to where the place `key` was left, again while its rows are coming, until it is high
 * enough or whoever reads scrolls by themselves. Returns what ends that.
 */
export function returnTo(key: string): () => void {
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
