/* oxlint-disable no-empty-pattern -- Playwright reads what a fixture depends on from the pattern */
import { test as base } from "@playwright/test";
import { startTestServer, type TestServer } from "./testServer.ts";

/** Tests on a separate server whose world runs six times as fast: an order takes ten seconds. */
export const test = base.extend<object, { server: TestServer }>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the dependencies from the pattern
    async ({}, provide) => {
      const server = await startTestServer(6, { WORLD_SPEED: "6" });
      await provide(server);
      await server.stop();
    },
    { scope: "worker" },
  ],
  baseURL: async ({ server }, provide) => provide(server.url),
});
