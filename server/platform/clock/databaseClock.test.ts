import { describe, expect, test } from "vitest";
import { StartError } from "#server/platform/startError.ts";
import { createRunningClock } from "./clock.ts";
import { createDatabaseClock } from "./databaseClock.ts";

const hourMs = 3_600_000;
const startMs = Date.UTC(2026, 0, 5);

/** Three clocks that a test moves apart. `roundTripMs` passes while the database is asked. */
function createClocks() {
  const clocks = { monotonicMs: 5_000, wallMs: startMs, databaseMs: startMs, roundTripMs: 2 };
  const pass = (ms: number) => {
    clocks.monotonicMs += ms;
    clocks.wallMs += ms;
    clocks.databaseMs += ms;
  };
  return {
    clocks,
    pass,
    sources: {
      monotonicMs: () => clocks.monotonicMs,
      wallMs: () => clocks.wallMs,
      databaseMs: async () => {
        pass(clocks.roundTripMs / 2);
        const readMs = clocks.databaseMs;
        pass(clocks.roundTripMs / 2);
        return readMs;
      },
    },
  };
}

/** A started clock, and `seconds` that pass with a sample after each. */
async function startClock() {
  const clocks = createClocks();
  const clock = await createDatabaseClock(clocks.sources);
  const seconds = async (count: number, each: () => void = () => {}) => {
    for (let second = 0; second < count; second += 1) {
      clocks.pass(1_000 - clocks.clocks.roundTripMs);
      each();
      await clock.sample();
    }
  };
  return { ...clocks, clock, seconds };
}

const note = async ({ clock }: Awaited<ReturnType<typeof startClock>>) => {
  const { ok, note: text } = await clock.health();
  return [ok, text];
};

describe("real time", () => {
  test("time starts at the database's and continues between samples", async () => {
    const { clock, clocks, pass } = await startClock();
    expect(clock.nowMs()).toBe(clocks.databaseMs);
    pass(700);
    expect(clock.nowMs()).toBe(clocks.databaseMs);
  });

  test("time follows a drifting database clock by at most 5 % without going back", async () => {
    const run = await startClock();
    const { clock, clocks, seconds } = run;
    clocks.databaseMs += 1_000;
    let lastMs = clock.nowMs();
    const steps: number[] = [];
    await seconds(3, () => {
      steps.push(clock.nowMs() - lastMs);
      lastMs = clock.nowMs();
    });
    expect(Math.max(...steps)).toBeLessThanOrEqual(1_050);
    expect(Math.min(...steps)).toBeGreaterThan(990);
    await seconds(30);
    expect(Math.abs(clock.nowMs() - clocks.databaseMs)).toBeLessThanOrEqual(1);
    clocks.databaseMs -= 1_000;
    await seconds(10, () => {
      expect(clock.nowMs()).toBeGreaterThan(lastMs);
      lastMs = clock.nowMs();
    });
    await seconds(30);
    expect(Math.abs(clock.nowMs() - clocks.databaseMs)).toBeLessThanOrEqual(1);
    expect(await note(run)).toEqual([true, "agrees with the database's clock"]);
  });

  test("a sample with a slow round trip is ignored", async () => {
    const { clock, clocks, pass, seconds } = await startClock();
    clocks.roundTripMs = 900;
    clocks.databaseMs += 1_500;
    const before = clock.nowMs();
    await seconds(5);
    expect(clock.nowMs() - before).toBe(5_000);
    clocks.roundTripMs = 2;
    await seconds(1);
    pass(0);
    expect(clock.nowMs() - before).toBeGreaterThan(6_000);
  });
});

test.each<[string, keyof ReturnType<typeof createClocks>["clocks"], number, string]>([
  [
    "the machine's clock jumps an hour ahead (drill 5.6)",
    "wallMs",
    hourMs,
    "this machine's clock is 3600 s ahead of the instance's time",
  ],
  [
    "the machine's clock jumps an hour back (drill 5.7)",
    "wallMs",
    -hourMs,
    "this machine's clock is 3600 s behind the instance's time",
  ],
  [
    "the database's clock jumps an hour ahead",
    "databaseMs",
    hourMs,
    "the database's clock is 3600 s ahead of the instance's time",
  ],
  [
    "the database's clock jumps an hour back",
    "databaseMs",
    -hourMs,
    "the database's clock is 3600 s behind the instance's time",
  ],
])("when %s alone, time continues and health reports it", async (_title, which, ms, text) => {
  const run = await startClock();
  const { clock, clocks, seconds } = run;
  const world = createRunningClock({ worldMs: 0, realMs: clock.nowMs(), speed: 1 }, clock);
  clocks[which] += ms;
  const before = clock.nowMs();
  await seconds(9);
  expect(clock.nowMs() - before).toBe(9_000);
  expect(world.nowMs()).toBe(9_000);
  expect(await note(run)).toEqual([false, text]);
  // Right again, as in drill 5.5: nothing has to catch up.
  clocks[which] -= ms;
  await seconds(1);
  expect(clock.nowMs() - before).toBe(10_000);
  expect(world.nowMs()).toBe(10_000);
  expect((await clock.health()).ok).toBe(true);
  expect(clock.steppedAtMs?.()).toBeNull();
});

test("when both clocks jump an hour ahead after sleep, time steps forward", async () => {
  const { clock, clocks, seconds } = await startClock();
  clocks.wallMs += hourMs;
  clocks.databaseMs += hourMs;
  const before = clock.nowMs();
  await seconds(2);
  expect(clock.nowMs() - before).toBe(hourMs + 2_000);
  expect(clock.steppedAtMs?.()).toBeGreaterThan(before + hourMs);
  expect((await clock.health()).ok).toBe(true);
});

test("when both clocks are set back an hour, time does not follow", async () => {
  const run = await startClock();
  const { clock, clocks, seconds } = run;
  clocks.wallMs -= hourMs;
  clocks.databaseMs -= hourMs;
  const before = clock.nowMs();
  await seconds(9);
  expect(clock.nowMs() - before).toBe(9_000);
  expect(await note(run)).toEqual([
    false,
    "this machine's clock is 3600 s behind the instance's time and the database's clock is 3600 s behind the instance's time",
  ]);
});

test.each([
  [hourMs, "This machine's clock is 3600 s ahead of the database's clock: set both right"],
  [-3_000, "This machine's clock is 3 s behind the database's clock: set both right"],
])("a difference of %i ms at the start is refused", async (ms, message) => {
  const { clocks, sources } = createClocks();
  clocks.wallMs += ms;
  const start = createDatabaseClock(sources);
  await expect(start).rejects.toThrow(StartError);
  await expect(start).rejects.toThrow(message);
});

test("processes on machines whose clocks differ by under two seconds agree", async () => {
  const item = await startClock();
  const otherClocks = createClocks();
  otherClocks.clocks.monotonicMs = 900_000;
  otherClocks.clocks.wallMs += 1_900;
  const clock = await createDatabaseClock(otherClocks.sources);
  otherClocks.pass(item.clocks.databaseMs - otherClocks.clocks.databaseMs);
  expect(clock.nowMs()).toBe(item.clock.nowMs());
});

test.each([
  ["the machine's", "wallMs"],
  ["the database's", "databaseMs"],
] as const)("a child process takes its parent's time if %s clock is off", async (_title, which) => {
  const parent = await startClock();
  await parent.seconds(3);
  parent.clocks[which] += hourMs;
  await parent.seconds(1);
  const child = await createDatabaseClock(parent.sources, parent.clock.offsetMs());
  await child.sample();
  expect(child.nowMs()).toBe(parent.clock.nowMs());
  expect((await child.health()).ok).toBe(false);
});
