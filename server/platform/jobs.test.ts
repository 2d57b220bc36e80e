import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { openWorldDatabase } from "#server/platform/db/database.ts";
import { createJobs, type Job } from "#server/platform/jobs.ts";
import { createTestContext, type TestContext } from "#server/testing/testContext.ts";

let ctx: TestContext;
beforeAll(async () => {
  ctx = await createTestContext();
});
afterAll(() => ctx.destroy());

const createOther = () =>
  createJobs({ database: ctx.database, url: inject("postgres").appUrl, logger: ctx.logger });

test("a loop runs in one process at a time, and another takes over when it stops", async () => {
  const ranNames: string[] = [];
  const first = createOther();
  const second = createOther();
  const started = Promise.withResolvers<void>();
  const tookOver = Promise.withResolvers<void>();
  const untilAborted = (signal: AbortSignal) =>
    new Promise<void>((resolve) =>
      signal.addEventListener("abort", () => resolve(), { once: true }),
    );
  const findLoop = (processName: string, started: PromiseWithResolvers<void>): Job => ({
    name: "settle",
    loop: async (signal) => {
      ranNames.push(processName);
      started.resolve();
      await untilAborted(signal);
    },
  });
  first.add([findLoop("first", started)]);
  second.add([findLoop("second", tookOver)]);
  first.start();
  await started.promise;
  second.start();
  await first.stop();
  await tookOver.promise;
  await second.stop();
  expect(ranNames).toEqual(["first", "second"]);
});

test("a throwing loop restarts within half a second", async () => {
  const jobs = createOther();
  const restarted = Promise.withResolvers<void>();
  let runs = 0;
  let failedMs = 0;
  let againMs = 0;
  const loop = async (signal: AbortSignal) => {
    runs += 1;
    if (runs === 1) {
      failedMs = performance.now();
      throw new Error("once");
    }
    againMs = performance.now();
    restarted.resolve();
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
  };
  jobs.add([{ name: "broken", loop }]);
  jobs.start();
  await restarted.promise;
  await jobs.stop();
  expect(runs).toBe(2);
  expect(againMs - failedMs).toBeLessThan(500);
});

test("a job runs at the start and after its interval, or a second after failing", async () => {
  const jobs = createOther();
  const thrice = Promise.withResolvers<void>();
  const atMs: number[] = [];
  const run = async () => {
    atMs.push(performance.now());
    if (atMs.length === 3) thrice.resolve();
    if (atMs.length === 2) throw new Error("once");
  };
  jobs.add([{ name: "often", everySeconds: 0.05, run }]);
  jobs.start();
  await thrice.promise;
  await jobs.stop();
  expect(atMs[1]! - atMs[0]!).toBeGreaterThan(45);
  expect(atMs[2]! - atMs[1]!).toBeGreaterThan(990);
});

test("a job's retry delay doubles after each failure", async () => {
  const retries: number[] = [];
  const thrice = Promise.withResolvers<void>();
  const logger = {
    ...ctx.logger,
    error: ({ retryMs }: { retryMs: number }) => {
      retries.push(retryMs);
      if (retries.length === 3) thrice.resolve();
    },
  };
  const url = inject("postgres").appUrl;
  const jobs = createJobs({ database: ctx.database, url, logger: logger as never });
  const now = performance.now.bind(performance);
  let passedMs = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now() + passedMs);
  const run = async () => {
    passedMs += 11_000;
    throw new Error("the database is stuck");
  };
  jobs.add([{ name: "stuck", everySeconds: 600, run }]);
  jobs.start();
  await thrice.promise;
  await jobs.stop();
  clock.mockRestore();
  expect(retries).toEqual([1_000, 2_000, 4_000]);
});

test("a process runs only the jobs of its services", async () => {
  const jobs = createOther();
  const ranNames: string[] = [];
  const finished = Promise.withResolvers<void>();
  const run = (name: string) => async () => {
    ranNames.push(name);
    if (name === "feed") finished.resolve();
  };
  jobs.add([
    { name: "one.work", everySeconds: 10, run: run("worker") },
    { name: "one.feed", service: "feed", everySeconds: 10, run: run("feed") },
  ]);
  jobs.start(["web", "feed"]);
  await finished.promise;
  await jobs.stop();
  expect(ranNames).toEqual(["feed"]);
});

test("duplicate job names are refused", () => {
  const jobs = createOther();
  const job: Job = { name: "twice", everySeconds: 1, run: async () => {} };
  expect(() => jobs.add([job, job])).toThrow("registered twice");
});

test("runNow runs a job immediately", async () => {
  const jobs = createOther();
  let runs = 0;
  const run = async () => {
    runs += 1;
  };
  jobs.add([{ name: "count", everySeconds: 3600, run }]);
  await jobs.runNow("count");
  expect(runs).toBe(1);
  await expect(jobs.runNow("other")).rejects.toThrow(/no job other/);
});

test("a long-running query is cancelled when the program stops", async () => {
  const url = inject("postgres").appUrl;
  const database = openWorldDatabase({ url, schema: ctx.database.schema });
  const jobs = createJobs({ database, url, logger: ctx.logger, graceMs: 200 });
  const began = Promise.withResolvers<void>();
  let ended: unknown = null;
  const run = async () => {
    began.resolve();
    ended = await sql`select pg_sleep(20)`.execute(database.db).catch((error: Error) => error);
    throw ended;
  };
  jobs.add([{ name: "long", everySeconds: 60, run }]);
  jobs.start();
  await began.promise;
  const startedMs = performance.now();
  await jobs.stop();
  expect(performance.now() - startedMs).toBeLessThan(5_000);
  expect(ended).toBeInstanceOf(Error);
  await database.close();
});

test.each<[string, Partial<Job>, number]>([
  ["that runs for the feed", { service: "feed" }, 0],
  ["that begins after the first cut", {}, 300],
])("a query %s is cancelled, too", async (_what, more, afterMs) => {
  const url = inject("postgres").appUrl;
  const database = openWorldDatabase({ url, schema: ctx.database.schema });
  const jobs = createJobs({ database, url, logger: ctx.logger, graceMs: 200 });
  const began = Promise.withResolvers<void>();
  const loop = async () => {
    began.resolve();
    await sleep(afterMs);
    await sql`select pg_sleep(20)`.execute(database.db);
  };
  jobs.add([{ name: "deaf", ...more, loop } as Job]);
  jobs.start();
  await began.promise;
  const startedMs = performance.now();
  await jobs.stop();
  expect(performance.now() - startedMs).toBeLessThan(5_000);
  await database.close();
});
