import { join } from "node:path";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { locales } from "./core/locales.ts";
import { bareCalls } from "./tools/build/viteCalls.ts";
import { bareCharts } from "./tools/build/viteCharts.ts";
import { firstScreen } from "./tools/build/viteFirstScreen.ts";
import { messages } from "./tools/build/viteMessages.ts";

const root = import.meta.dirname;
const server = process.env.DRYDOCK_SERVER ?? "http://127.0.0.1:8080";

/** Chunks that change seldom and are needed by every screen stand apart, so that a release leaves them in the cache. */
const vendor =
  /node_modules\/(react|react-dom|scheduler|react-router|@tanstack|react-intl|@formatjs|intl-messageformat)\//;

/**
 * What several screens draw with: one chunk instead of twenty of a KB each, which over HTTP/1.1 would wait for each other. What is loaded
 * when it is opened (bodies of sheets, drawings, the receipt, the session’s sheets) stays out, and so do the calls of domains that /home does
 * not show.
 */
const shared =
  /\/(ui\/(?:\w+\/)?(?!\w*(Body|drawings|Toaster))\w+\.tsx?|api\/(call|client|contracts|envelope|errors|meta|session|shapes|wallet)\.ts|core\/money\/\w+\.ts|core\/market\/(symbols|intervals)\.ts|web\/lib\/use\w+\.tsx?)$/;

export default defineConfig({
  root: join(root, "web"),
  publicDir: join(root, "web/public"),
  plugins: [
    react(),
    tailwindcss(),
    messages(join(root, "i18n"), locales),
    bareCalls(),
    bareCharts(),
    firstScreen(),
  ],
  resolve: {
    alias: [
      // The schemas check what the server takes and gives; the browser sends what the types allow and needs none of them.
      { find: /^zod\/mini$/, replacement: join(root, "web/app/noSchemas.ts") },
      // Catalogues are compiled at build, so the parser of 30 KB stays out.
      {
        find: /^@formatjs\/icu-messageformat-parser$/,
        replacement: join(root, "node_modules/@formatjs/icu-messageformat-parser/no-parser.js"),
      },
    ],
  },
  build: {
    outDir: join(root, "dist/web"),
    emptyOutDir: true,
    target: "es2023",
    cssTarget: ["chrome123", "firefox128", "safari17.5"],
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    sourcemap: "hidden",
    manifest: "manifest.json",
    reportCompressedSize: false,
    rolldownOptions: {
      input: {
        index: join(root, "web/index.html"),
        "service-worker": join(root, "web/app/service-worker.ts"),
      },
      output: {
        entryFileNames: ({ name }) =>
          name === "service-worker" ? "service-worker.js" : "assets/[name]-[hash].js",
        chunkFileNames: "assets/[name]-[hash].js",
        assetFileNames: "assets/[name]-[hash][extname]",
        codeSplitting: {
          groups: [
            { name: "vendor", test: vendor },
            { name: "shared", test: shared },
          ],
        },
      },
    },
  },
  server: {
    proxy: {
      "/api": server,
      "/log": server,
      "/ws": { target: server, ws: true },
    },
  },
});
