import type { Plugin } from "vite";

/** Tailwind's initial values for browsers without `@property`. */
const fallback = /@layer properties\{@supports [^{}]*\{[^{}]*\{[^{}]*\}\}\}/;

/** The stylesheet without that fallback; the layer keeps its place in the order. */
export function withoutFallback(css: string): string {
  return css.replace(fallback, "@layer properties;");
}

/**
 * Drops Tailwind's fallback from stylesheets: every browser of `cssTarget` (build/bundle.ts)
 * supports `@property`, and the fallback would be a thirtieth of the stylesheet that every first
 * visit waits for.
 */
export function leanCss(): Plugin {
  return {
    name: "drydock-lean-css",
    apply: "build",
    generateBundle(_, bundle) {
      for (const output of Object.values(bundle)) {
        if (output.type !== "asset" || !output.fileName.endsWith(".css")) continue;
        output.source = withoutFallback(String(output.source));
      }
    },
  };
}
