import { join } from "node:path";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { locales } from "../../core/locales.ts";
import { bareCalls } from "./viteCalls.ts";
import { consoleParts, messages } from "./viteMessages.ts";

const root = join(import.meta.dirname, "../..");

/**
 * The console's own bundle, served under `/operator`. A build apart from the phone app's, so that nobody who does not operate downloads a
 * byte of it and no file of the app changes when it does (docs/decisions/161).
 */
export default defineConfig({
  root: join(root, "operator"),
  base: "/operator/",
  publicDir: false,
  plugins: [
    react(),
    tailwindcss(),
    messages(join(root, "i18n"), locales, consoleParts),
    bareCalls(),
  ],
  resolve: {
    alias: [
      { find: /^zod\/mini$/, replacement: join(root, "web/app/noSchemas.ts") },
      {
        find: /^@formatjs\/icu-messageformat-parser$/,
        replacement: join(root, "node_modules/@formatjs/icu-messageformat-parser/no-parser.js"),
      },
    ],
  },
  build: {
    outDir: join(root, "dist/web/operator"),
    emptyOutDir: true,
    target: "es2023",
    cssTarget: ["chrome123", "firefox128", "safari17.5"],
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    sourcemap: "hidden",
    manifest: "manifest.json",
    reportCompressedSize: false,
  },
});
