import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createLocalBus } from "#server/platform/bus/bus.ts";
import { createDrivenClock } from "#server/platform/clock/clock.ts";
import { followPauses } from "#server/platform/clock/pauses.ts";
import { createLogger } from "#server/platform/logger.ts";
import { appRole } from "#server/postgres/embedded.ts";
import { createTestContext, type TestContext } from "#server/testing/testContext.ts";

let ctx: TestContext;
beforeAll(async () => {
  ctx = await createTestContext();
});
afterAll(() => ctx.destroy());

test("during an outage only one reader waits, however many calls arrive", async () => {
  const errors: string[] = [];
  const logger = createLogger("error", { write: (line) => errors.push(line) });
  const bus = createLocalBus((error) => {
    throw error;
  });
  const clock = createDrivenClock(ctx.clock.nowMs());
  const stop = await followPauses(clock, { database: ctx.database, bus, logger, isShared: true });
  await ctx.owner.pool.query(`revoke select on world_pause from ${appRole}`);
  for (let count = 0; count < 20; count += 1)
    bus.publish("bus.reconnected", { lastedMs: 0, unsent: 0 });
  await sleep(1_200);
  // Every half second.
  expect(errors.length).toBeGreaterThan(0);
  expect(errors.length).toBeLessThanOrEqual(4);

  const atMs = ctx.clock.nowMs() + 10_000;
  await ctx.owner.pool.query(
    "insert into world_pause (ordinal, at_ms, announced_real_ms) values (1, $1, $1)",
    [atMs],
  );
  await ctx.owner.pool.query(`grant select on world_pause to ${appRole}`);
  while (clock.pause() === null) await sleep(50);
  expect(clock.pause()?.atMs).toBe(atMs);
  stop();
});
