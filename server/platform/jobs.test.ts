import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { createJobs } from "#server/platform/jobs.ts";
import { createTestContext, type TestContext } from "#server/testing/parts.ts";

let ctx: TestContext;
beforeAll(async () => {
  ctx = await createTestContext();
});
afterAll(() => ctx.destroy());

const another = () =>
  createJobs({ database: ctx.database, url: inject("postgres").appUrl, logger: ctx.logger });

test("a loop runs in one process at a time, and another takes over when it stops", async () => {
  const ran: string[] = [];
  const first = another();
  const second = another();
  const started = Promise.withResolvers<void>();
  const tookOver = Promise.withResolvers<void>();
  const until = (signal: AbortSignal) =>
    new Promise<void>((resolve) =>
      signal.addEventListener("abort", () => resolve(), { once: true }),
    );
  first.runLoop("settle", async (signal) => {
    ran.push("first");
    started.resolve();
    await until(signal);
  });
  second.runLoop("settle", async (signal) => {
    ran.push("second");
    tookOver.resolve();
    await until(signal);
  });
  await first.start();
  await started.promise;
  await second.start();
  await first.stop();
  await tookOver.promise;
  await second.stop();
  expect(ran).toEqual(["first", "second"]);
});

test("a loop that throws starts again", async () => {
  const jobs = another();
  const again = Promise.withResolvers<void>();
  let runs = 0;
  jobs.runLoop("broken", async (signal) => {
    runs += 1;
    if (runs === 1) throw new Error("once");
    again.resolve();
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
  });
  await jobs.start();
  await again.promise;
  await jobs.stop();
  expect(runs).toBe(2);
});

test("the job queue runs under the restricted role, in a schema of its own", async () => {
  const jobs = another();
  jobs.every("daily", "0 3 * * *", async () => {});
  await jobs.start();
  const { rows } = await ctx.database.pool.query(
    `select name, cron from ${ctx.world.schema}_jobs.schedule`,
  );
  expect(rows).toEqual([{ name: "daily", cron: "0 3 * * *" }]);
  await jobs.stop();
});

test("a job can be run now", async () => {
  const jobs = another();
  let runs = 0;
  jobs.every("count", 3600, async () => {
    runs += 1;
  });
  await jobs.runNow("count");
  expect(runs).toBe(1);
  await expect(jobs.runNow("other")).rejects.toThrow(/no such job: other/);
});
