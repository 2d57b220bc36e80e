import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { getBeaconName, getDueRound, isRoundSigned } from "./beacon.ts";
import { fromHex, sha256, toHex } from "./bytes.ts";

const { quicknet, rules } = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../docs/formats/vectors/beacon.json"), "utf8"),
);
const beacon = {
  publicKey: quicknet.public_key,
  genesis: quicknet.genesis,
  period: quicknet.period,
};

test.each(
  quicknet.rounds as { round: number; signature: string; randomness: string }[],
)("round $round is signed as it was published", ({ round, signature, randomness }) => {
  expect(isRoundSigned(round, signature, beacon)).toBe(true);
  expect(toHex(sha256(fromHex(signature)))).toBe(randomness);
});

test.each(
  quicknet.refused as { name: string; round: number; signature: string }[],
)("a signature $name is refused", ({ round, signature }) =>
  expect(isRoundSigned(round, signature, beacon)).toBe(false));

test("only the key with its times is the known beacon", () => {
  expect(getBeaconName(beacon)).toBe("drand quicknet");
  expect(getBeaconName({ ...beacon, period: 30 })).toBeNull();
  expect(getBeaconName({ ...beacon, publicKey: beacon.publicKey.replace("83", "84") })).toBeNull();
});

test.each(
  rules as {
    speed: number;
    created_at_ms: number;
    started_at_ms: number;
    at_ms: number;
    round: number | null;
  }[],
)("at speed $speed the round due at $at_ms is $round", (rule) => {
  const world = {
    beacon: { ...beacon, startedAtMs: rule.started_at_ms },
    createdAtMs: rule.created_at_ms,
    market: { speed: rule.speed },
  };
  expect(getDueRound(world, rule.at_ms)).toBe(rule.round);
});
