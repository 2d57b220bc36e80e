import { join } from "node:path";
import { defineConfig, mergeConfig } from "vite";
import { bundle, root } from "./build/bundle.ts";
import { chunkGroups } from "./build/chunks.ts";
import { firstScreen } from "./build/firstScreen.ts";
import { partsOf } from "./build/messages.ts";

const server = process.env.DRYDOCK_SERVER ?? "http://127.0.0.1:8080";

/** The phone app's bundle, and its development server in front of a running instance. */
export default defineConfig(
  mergeConfig(bundle("web", "dist/web", partsOf), {
    plugins: [firstScreen()],
    build: {
      rolldownOptions: {
        input: {
          index: join(root, "web/index.html"),
          "service-worker": join(root, "web/app/service-worker.ts"),
        },
        output: {
          // A service worker keeps its address, since browsers look there for its next version.
          entryFileNames: ({ name }: { name: string }) =>
            name === "service-worker" ? "service-worker.js" : "assets/[name]-[hash].js",
          codeSplitting: { groups: chunkGroups },
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
  }),
);
