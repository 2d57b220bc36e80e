import { expect, test } from "vitest";
import { startThread } from "#server/backtest/thread.ts";

test("a job that no thread can be started for fails by its result, not by an exception", async () => {
  // A function cannot be copied to a thread: the constructor itself throws.
  const bytes = (() => {}) as unknown as Uint8Array;
  const thread = startThread({ kind: "check", bytes, symbol: "BTC/USDT" });
  expect(await thread.ended).toEqual({ kind: "failed" });
  thread.cancel();
});
