import { describe, expect, test } from "vitest";
import { dayMs, hourMs } from "#core/money/time.ts";
import { type NavMoment, runPool } from "./pools.ts";
import { computeQuantiles } from "./quantiles.ts";
import { createDraws } from "./random.ts";

const draw = createDraws("navs");
/** Three hundred marks, a few hours apart, some of them close together. */
const moments: NavMoment<"realistic" | "harsh">[] = [];
for (let [atMs, nav] = [0, 100_000_000n]; moments.length < 300; ) {
  moments.push({ atMs, nav: { realistic: nav, harsh: nav - BigInt(moments.length) * 1_000n } });
  atMs += 1 + (draw() % (6 * hourMs));
  nav += BigInt((draw() % 2_001) - 1_000) * 100n;
}
const amount = 1_000_000_000n;

describe("every start of a pool's history", () => {
  test.each([
    ["realistic", dayMs],
    ["harsh", dayMs],
    ["realistic", 7 * dayMs],
  ] as const)("results equal an independent computation: %s for %i ms", (friction, heldMs) => {
    const lastMs = moments.at(-1)!.atMs;
    const listResults = (passedMs: number) =>
      moments
        .filter(({ atMs }) => atMs <= lastMs - heldMs)
        .map(({ atMs, nav }) => {
          const end = moments.findLast((moment) => moment.atMs <= atMs + passedMs)!;
          const worth = (amount * end.nav[friction]) / nav[friction];
          return worth - (worth + 999n) / 1_000n - amount;
        });
    const run = runPool(moments, friction, amount, heldMs)!;
    const ends = listResults(heldMs);
    expect(run).toMatchObject({
      starts: ends.length,
      below: ends.filter((end) => end < 0n).length,
      spread: computeQuantiles(ends),
    });
    expect(run.starts).toBeGreaterThan(200);
    for (const { heldMs: passedMs, spread } of run.fan)
      expect(spread).toEqual(computeQuantiles(listResults(passedMs)));
    expect(run.fan[0]).toEqual({ heldMs: 0, spread: computeQuantiles([-1_000_000n]) });
    expect(run.fan.at(-1)?.heldMs).toBe(heldMs);
  });

  test("more friction leaves more starts below zero", () => {
    const [mildRun, harshRun] = (["realistic", "harsh"] as const).map(
      (friction) => runPool(moments, friction, amount, 7 * dayMs)!.below,
    );
    expect(harshRun).toBeGreaterThan(mildRun!);
  });

  test("a history shorter than the holding time has no starts", () => {
    expect(runPool(moments, "realistic", amount, 100 * dayMs)).toBeNull();
    expect(runPool([], "realistic", amount, dayMs)).toBeNull();
  });
});
