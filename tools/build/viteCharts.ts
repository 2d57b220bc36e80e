import type { Plugin } from "vite";

/**
 * klinecharts registers its 27 stock indicators and 16 drawing tools whether they are used or not; we draw with our own
 * (docs/decisions/080). Emptying the two lists lets the bundler leave them out: 6 KB gzip less on the trade screen.
 *
 * Throws when a list is not found, so that a new version of klinecharts is looked at instead of quietly growing.
 */
export function bareCharts(): Plugin {
  return {
    name: "drydock:bare-charts",
    transform(code, id) {
      if (!/klinecharts\/dist\/index\.esm\.js/.test(id)) return null;
      return { code: withoutStock(code), map: null };
    },
  };
}

const lists = [
  /var extensions\$2 = \[\s*averagePrice,[^\]]*\];/,
  /var extensions = \[\s*fibonacciLine,[^\]]*\];/,
];

/** The source of klinecharts without its stock indicators and overlays. */
export function withoutStock(code: string): string {
  return lists.reduce((text, list) => {
    if (!list.test(text)) throw new Error(`klinecharts has changed: ${list} is not in it`);
    return text.replace(list, (found) => `${found.slice(0, found.indexOf("["))}[];`);
  }, code);
}
