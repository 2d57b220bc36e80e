import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { startHeartbeat } from "#server/backtest/heartbeat.ts";

test("a heartbeat that fails is reported, and one that takes long is not overtaken", async () => {
  const errors: unknown[] = [];
  let begun = 0;
  const first = Promise.withResolvers<void>();
  const heartbeat = startHeartbeat(
    async () => {
      begun += 1;
      if (begun === 1) return first.promise;
      if (begun === 2) throw new Error("no connection");
    },
    { everyMs: 20, onError: (error) => errors.push(error) },
  );
  await sleep(200);
  expect(begun).toBe(1);
  first.resolve();
  while (begun < 4) await sleep(10);
  heartbeat.stop();
  expect(errors.map(String)).toEqual(["Error: no connection"]);
});
