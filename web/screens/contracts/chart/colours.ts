/** The chart's colours, resolved from the tokens so that a canvas understands them. */
export interface ChartColours {
  rise: string;
  fall: string;
  riseTint: string;
  fallTint: string;
  ink: string;
  muted: string;
  hairline: string;
  ground: string;
  band: string;
  /** Indicator lines, in order. */
  lines: readonly [string, string, string];
}

/** The CSS value of each colour; a canvas cannot read variables, so the browser resolves them. */
const sources: Record<Exclude<keyof ChartColours, "lines">, string> = {
  rise: "var(--color-rise)",
  fall: "var(--color-fall)",
  riseTint: "color-mix(in srgb, var(--color-rise) 12%, transparent)",
  fallTint: "color-mix(in srgb, var(--color-fall) 12%, transparent)",
  ink: "var(--color-ink)",
  muted: "var(--color-ink-faint)",
  hairline: "color-mix(in srgb, var(--color-line) 70%, transparent)",
  ground: "var(--color-paper)",
  band: "color-mix(in srgb, var(--color-ink) 12%, transparent)",
};
/**
 * In forced-colours mode these are the person's colours; shapes and signs then distinguish what
 * colours otherwise do.
 */
const forcedSources: typeof sources = {
  rise: "CanvasText",
  fall: "CanvasText",
  riseTint: "transparent",
  fallTint: "transparent",
  ink: "CanvasText",
  muted: "CanvasText",
  hairline: "GrayText",
  ground: "Canvas",
  band: "color-mix(in srgb, Highlight 30%, transparent)",
};
export const forcedColours = "(forced-colors: active)";

/**
 * Indicator lines need colours that do not mean a result or a control; the legend uses the same
 * ones.
 */
export const lineSources = [
  "var(--color-warning)",
  "light-dark(#3566b0, #7fb0ff)",
  "light-dark(#8a4fa3, #d3a0ea)",
] as const;

/** The colours as they currently resolve inside `element`. */
export function readColours(element: HTMLElement): ChartColours {
  const isForced = matchMedia(forcedColours).matches;
  const probe = document.createElement("span");
  probe.hidden = true;
  probe.style.setProperty("forced-color-adjust", "none");
  element.append(probe);
  const resolve = (source: string) => {
    probe.style.color = source;
    return getComputedStyle(probe).color;
  };
  const byName = Object.fromEntries(
    Object.entries(isForced ? forcedSources : sources).map(([name, source]) => [
      name,
      resolve(source),
    ]),
  );
  const lines = lineSources.map((source) => resolve(isForced ? "CanvasText" : source));
  probe.remove();
  return {
    ...(byName as Omit<ChartColours, "lines">),
    lines: lines as unknown as ChartColours["lines"],
  };
}
