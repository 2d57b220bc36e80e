import { join } from "node:path";
import { defineConfig, mergeConfig } from "vite";
import { bundle, root } from "./build/bundle.ts";
import { chunkGroups } from "./build/chunks.ts";
import { listNamespaces } from "./build/messages.ts";

/** A running instance, and the console's development server; `npm run dev` sets both. */
const server = process.env.DRYDOCK_SERVER ?? "http://127.0.0.1:8080";
const operators = process.env.DRYDOCK_CONSOLE ?? "http://127.0.0.1:5174";

/** The phone app's bundle, and its development server, which proxies the rest of the product. */
export default defineConfig(
  mergeConfig(bundle("web", "dist/web", listNamespaces), {
    build: {
      rolldownOptions: {
        input: {
          index: join(root, "web/index.html"),
          "service-worker": join(root, "web/app/service-worker.ts"),
        },
        output: {
          // The service worker keeps its URL, since browsers look there for the next version.
          entryFileNames: ({ name }: { name: string }) =>
            name === "service-worker" ? "service-worker.js" : "assets/[name]-[hash].js",
          codeSplitting: { groups: chunkGroups() },
        },
      },
    },
    server: {
      proxy: {
        "/api": server,
        "/log": server,
        "/ws": { target: server, ws: true },
        "/operator": {
          target: operators,
          ws: true,
          // The console's server serves its page only at the path with a trailing slash.
          rewrite: (path: string) => path.replace(/^\/operator(?=$|\?)/, "/operator/"),
        },
      },
    },
  }),
);
