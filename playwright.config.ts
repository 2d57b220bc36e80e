import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import { findBrowserPath, launchArguments } from "./tools/browser/launch.ts";

/** Begun first, so that no processor waits at the end for one of them alone. */
const long = /(screens|languages|main-job|people|wallet-recharge|replay|keyboard)\.spec\.ts$/;

const port = Number(process.env.E2E_PORT ?? 8319);
process.env.E2E_DATA ??= mkdtempSync(join(tmpdir(), "drydock-e2e-"));

/**
 * End-to-end tests: a real server with its own data directory, started by the README's command, and
 * a real Chromium.
 */
export default defineConfig({
  testDir: "e2e",
  projects: [
    { name: "long", testMatch: long },
    { name: "others", testMatch: "*.spec.ts", testIgnore: long },
  ],
  // Tests mostly wait for the market and for servers: three at a time keep two processors busy.
  workers: 3,
  // A test that passes only on retry is named in the summary.
  retries: 1,
  timeout: 150_000,
  expect: { timeout: 15_000 },
  globalTeardown: "./e2e/support/teardown.ts",
  outputDir: "test-results",
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    reducedMotion: "reduce",
    trace: "on-first-retry",
    launchOptions: { executablePath: await findBrowserPath(), args: launchArguments },
  },
  webServer: {
    command: "npm start",
    url: `http://127.0.0.1:${port}/api/health`,
    timeout: 180_000,
    gracefulShutdown: { signal: "SIGTERM", timeout: 20_000 },
    stdout: "pipe",
    env: {
      PORT: String(port),
      HOST: "127.0.0.1",
      DRYDOCK_DATA: process.env.E2E_DATA,
      CHAT_LINK: "",
    },
  },
});
