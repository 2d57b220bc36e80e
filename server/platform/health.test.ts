import { expect, test } from "vitest";
import { createLagCheck } from "#server/platform/health.ts";

test.each([
  [null, false, "has not begun"],
  [0, true, "keeps up"],
  [-40, true, "keeps up"],
  [-2_000, true, "keeps up"],
  [-2_001, false, "is 2 s ahead of the clock"],
  [-3_591_000, false, "is 3591 s ahead of the clock"],
  [10_000, true, "keeps up"],
  [10_001, false, "is behind"],
])("a part that lags by %s ms: ready %s, %s", async (lag, ok, note) => {
  expect(await createLagCheck(async () => lag)()).toEqual({ ok, lag_ms: lag, note });
});
