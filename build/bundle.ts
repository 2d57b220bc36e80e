import { join } from "node:path";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import type { UserConfig } from "vite";
import { locales } from "../core/locales.ts";
import { leanCss } from "./leanCss.ts";
import { messages } from "./messages.ts";

export const root = join(import.meta.dirname, "..");

/**
 * Vite settings shared by the two bundles: the phone app (`vite.config.ts`) and the operators'
 * console (`vite.operator.config.ts`). `folder` holds the page and its sources; `messageParts`
 * names the catalogues it needs.
 */
export function bundle(
  folder: string,
  outDir: string,
  messageParts: (i18n: string) => string[],
): UserConfig {
  return {
    root: join(root, folder),
    plugins: [
      react(),
      tailwindcss(),
      messages(join(root, "i18n"), locales, messageParts),
      leanCss(),
    ],
    resolve: {
      alias: [
        {
          // Catalogues are compiled at build time, so react-intl's 30 KB parser stays out.
          find: /^@formatjs\/icu-messageformat-parser$/,
          replacement: join(root, "node_modules/@formatjs/icu-messageformat-parser/no-parser.js"),
        },
      ],
    },
    build: {
      outDir: join(root, outDir),
      emptyOutDir: true,
      target: "es2023",
      cssTarget: ["chrome123", "firefox128", "safari17.5"],
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      sourcemap: "hidden",
      manifest: "manifest.json",
      reportCompressedSize: false,
    },
  };
}
