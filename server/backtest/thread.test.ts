import { expect, test } from "vitest";
import { startThread } from "#server/backtest/thread.ts";

test("a thread that cannot start yields a failed result instead of an exception", async () => {
  // A function cannot be copied to a thread: the constructor itself throws.
  const bytes = (() => {}) as unknown as Uint8Array;
  const thread = startThread({ kind: "check", bytes, symbol: "BTC/USDT" });
  expect(await thread.ended).toEqual({ kind: "failed" });
  thread.cancel();
});
