/**
 * Ref for a region that may scroll: while it overflows it is in the tab order, so that arrow keys
 * can scroll it even when nothing inside is focusable.
 */
export function scrollStop(region: HTMLElement | null): (() => void) | undefined {
  if (!region) return undefined;
  const update = () => {
    if (region.scrollHeight > region.clientHeight) region.tabIndex = 0;
    else region.removeAttribute("tabindex");
  };
  const observer = new ResizeObserver(update);
  observer.observe(region);
  for (const child of region.children) observer.observe(child);
  update();
  return () => observer.disconnect();
}
