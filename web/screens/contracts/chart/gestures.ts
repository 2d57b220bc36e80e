/**
 * Keeps the chart from trapping the page. klinecharts takes every drag; here a vertical drag
 * belongs to the page (which scrolls), a horizontal or two-finger one to the chart, and the wheel
 * zooms only with Ctrl held or while the chart has focus. Returns a function that removes the
 * listeners. On a phone the chart is as wide as the screen, so one that took every drag would trap
 * the thumb. Every gesture also has a button below the chart and a key.
 */
export function guardGestures(element: HTMLElement): () => void {
  let start: { x: number; y: number } | null = null;
  let owner: "open" | "page" | "chart" = "open";

  const touchStart = (event: TouchEvent) => {
    const touch = event.touches[0];
    if (event.touches.length > 1) owner = "chart";
    else if (touch) {
      start = { x: touch.clientX, y: touch.clientY };
      owner = "open";
    }
  };
  const touchMove = (event: TouchEvent) => {
    if (!event.isTrusted) return;
    const touch = event.touches[0];
    if (owner === "open" && start && touch) {
      owner = getGestureOwner(touch.clientX - start.x, touch.clientY - start.y);
      if (owner === "page") releaseTouch(event);
    }
    if (owner !== "chart") event.stopPropagation();
  };
  const wheel = (event: WheelEvent) => {
    const upright = Math.abs(event.deltaY) > Math.abs(event.deltaX);
    if (upright && !event.ctrlKey && !event.metaKey && !element.contains(document.activeElement))
      event.stopPropagation();
  };

  element.addEventListener("touchstart", touchStart, { capture: true, passive: true });
  element.addEventListener("touchmove", touchMove, { capture: true, passive: true });
  element.addEventListener("wheel", wheel, { capture: true, passive: true });
  return () => {
    element.removeEventListener("touchstart", touchStart, { capture: true });
    element.removeEventListener("touchmove", touchMove, { capture: true });
    element.removeEventListener("wheel", wheel, { capture: true });
  };
}

/**
 * Ends the touch for klinecharts, which otherwise waits for an end that a scrolling browser never
 * sends: first a move, so that it does not count as a tap, then the end.
 */
function releaseTouch(event: TouchEvent): void {
  const touches = { changedTouches: [...event.changedTouches], bubbles: true };
  const root = document.documentElement;
  root.dispatchEvent(new TouchEvent("touchmove", { ...touches, touches: [...event.touches] }));
  root.dispatchEvent(new TouchEvent("touchend", touches));
}

/** The owner of a drag after moving by this many pixels: "open" until it has a direction. */
export function getGestureOwner(dx: number, dy: number): "open" | "page" | "chart" {
  if (Math.hypot(dx, dy) < 6) return "open";
  return Math.abs(dy) > Math.abs(dx) ? "page" : "chart";
}
