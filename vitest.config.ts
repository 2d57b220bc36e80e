import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["{build,core,api,ui,i18n,web,verify,seed,tools,operator}/**/*.test.ts"],
          // Simulations of days take seconds, and longer beside other programs.
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: "server",
          include: ["server/**/*.test.ts"],
          globalSetup: ["server/testing/postgres.ts"],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          // More than there are processors: many wait for clocks and processes.
          maxWorkers: 3,
          // Real clocks, sockets and processes, on machines that others use: the output names what
          // passed only on retry.
          retry: 1,
        },
      },
    ],
  },
});
