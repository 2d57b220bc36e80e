import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  computePublishedMs,
  getBeaconName,
  getRoundOfDay,
  knownBeacons,
  noticeMs,
} from "#core/transparency-log/beacon.ts";

const { rules } = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../docs/formats/vectors/beacon.json"), "utf8"),
) as {
  rules: {
    speed: number;
    created_at_ms: number;
    started_at_ms: number;
    at_ms: number;
    round: number | null;
  }[];
};
const [quicknet] = knownBeacons as [(typeof knownBeacons)[number]];
const readWorld = ({ started_at_ms, created_at_ms, speed }: (typeof rules)[number]) => ({
  beacon: { ...quicknet, startedAtMs: started_at_ms },
  createdAtMs: created_at_ms,
  market: { speed },
});

test.each(rules)("at speed $speed the round due at $at_ms is $round", (rule) => {
  expect(getRoundOfDay(readWorld(rule), rule.at_ms)).toBe(rule.round);
});

test("a round is published between 30 and 33 seconds before its day, and after the world began", () => {
  const dueRounds = rules.filter(({ round }) => round !== null);
  expect(dueRounds.length).toBeGreaterThan(2);
  for (const rule of dueRounds) {
    const { created_at_ms, started_at_ms, speed, at_ms, round } = rule;
    const midnightMs = at_ms - (at_ms % 86_400_000);
    const realMs = started_at_ms + (midnightMs - created_at_ms) / speed;
    const aheadMs = realMs - computePublishedMs(quicknet, round!);
    expect(aheadMs).toBeGreaterThanOrEqual(noticeMs);
    expect(aheadMs).toBeLessThan(noticeMs + 4_000);
    expect(computePublishedMs(quicknet, round!)).toBeGreaterThan(started_at_ms);
  }
});

test("every time of a day has the round of its midnight, and the first day has none", () => {
  const [first] = rules as [(typeof rules)[number]];
  const world = readWorld(first);
  expect(getRoundOfDay(world, first.created_at_ms)).toBeNull();
  const midnightMs = Math.ceil(first.created_at_ms / 86_400_000) * 86_400_000;
  const round = getRoundOfDay(world, midnightMs);
  expect(round).not.toBeNull();
  expect(getRoundOfDay(world, midnightMs + 86_399_000)).toBe(round);
  expect(getRoundOfDay(world, midnightMs + 86_400_000)).toBe(round! + 28_800);
});

test("a beacon is known by its key and its times", () => {
  expect(getBeaconName(quicknet)).toBe("drand quicknet");
  expect(getBeaconName({ ...quicknet, genesisSeconds: 0 })).toBeNull();
});
