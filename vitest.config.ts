import { defineConfig } from "vitest/config";

/**
 * The same for all projects, so that the files of one fill the workers that those of another leave
 * idle; by default a machine with two processors runs the files of a project one by one. More than
 * there are processors: many tests wait for clocks and processes.
 */
const maxWorkers = 3;

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["{build,core,api,ui,i18n,web,verify,seed,tools,operator}/**/*.test.ts"],
          // Simulations of days take seconds, and longer beside other programs.
          testTimeout: 30_000,
          maxWorkers,
        },
      },
      {
        test: {
          name: "server",
          include: ["server/**/*.test.ts"],
          globalSetup: ["server/testing/postgres.ts"],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          maxWorkers,
          // Real clocks, sockets and processes, on machines that others use: the output names what
          // passed only on retry.
          retry: 1,
        },
      },
    ],
  },
});
