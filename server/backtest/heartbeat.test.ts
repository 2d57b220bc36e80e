import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { startHeartbeat } from "#server/backtest/heartbeat.ts";

test("a heartbeat that fails is reported, and one that takes long is not overtaken", async () => {
  const errors: unknown[] = [];
  let startCount = 0;
  const first = Promise.withResolvers<void>();
  const heartbeat = startHeartbeat(
    async () => {
      startCount += 1;
      if (startCount === 1) return first.promise;
      if (startCount === 2) throw new Error("no connection");
    },
    { everyMs: 20, onError: (error) => errors.push(error) },
  );
  await sleep(200);
  expect(startCount).toBe(1);
  first.resolve();
  while (startCount < 4) await sleep(10);
  heartbeat.stop();
  expect(errors.map(String)).toEqual(["Error: no connection"]);
});
