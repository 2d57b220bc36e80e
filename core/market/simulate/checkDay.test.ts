import { readFileSync } from "node:fs";
import { join } from "node:path";
import { bls12_381 } from "@noble/curves/bls12-381.js";
import { ed25519 } from "@noble/curves/ed25519.js";
import { expect, test } from "vitest";
import { checkDay } from "#core/market/simulate/checkDay.ts";
import { roundDomain, roundMessage, type VerifyRound } from "#core/transparency-log/beacon.ts";
import { hexToBytes } from "#core/transparency-log/bytes.ts";

const readVector = (name: string) =>
  JSON.parse(
    readFileSync(join(import.meta.dirname, `../../../docs/formats/vectors/${name}.json`), "utf8"),
  );
const { day: vector } = readVector("simulator");
const { days: beaconDays } = readVector("beacon");
const { origin, day, entries, falsified } = vector;

const scheme = bls12_381.shortSignatures;
const verifyRound: VerifyRound = ({ round, signature }, publicKey) => {
  try {
    const point = scheme.Signature.fromBytes(signature);
    return scheme.verify(point, scheme.hash(roundMessage(round), roundDomain), publicKey);
  } catch {
    return false;
  }
};

function check(log: string[], number: number = day) {
  const leaves = log.map(hexToBytes);
  const progress: number[] = [];
  const options = {
    verify: (signature: Uint8Array, message: Uint8Array, key: Uint8Array) =>
      ed25519.verify(signature, message, key),
    loadVerifyRound: async () => verifyRound,
    onProgress: (part: number) => progress.push(part),
  };
  const servedTree = {
    size: leaves.length,
    origin,
    leaves: async (from: number, to: number) => leaves.slice(from, to),
  };
  return checkDay(servedTree, number, options);
}

test("the published day agrees with the log from its history to the next day", async () => {
  expect(await check(entries)).toEqual({
    ok: true,
    day,
    due: 29,
    missing: 2,
    voids: 0,
    closed: 27,
    seed: {
      source: expect.objectContaining({ vkey: expect.stringContaining("witness.example") }),
      due: null,
    },
    fromHistory: true,
    continuedFromMs: Date.UTC(2026, 0, 5, 0, 5, 10),
  });
});

test("an unfinished day yields no result", async () => {
  expect(await check(entries, day + 2)).toBeNull();
});

test.each(
  falsified as { name: string; entries: string[]; difference: string }[],
)("$name: $difference", async ({ entries: log, difference }) => {
  expect(await check(log)).toMatchObject({ ok: false, difference });
});

test("a day mixed with its beacon round agrees and reports the round", async () => {
  const { entries: log, day: number, round } = beaconDays;
  expect(await check(log, number)).toMatchObject({
    ok: true,
    closed: 30,
    seed: { source: { kind: "beacon", round: round.round }, due: { periodSeconds: 3 } },
  });
});

test("a day without its due round agrees and reports the round as due", async () => {
  expect(await check(beaconDays.missed, beaconDays.day)).toMatchObject({
    ok: true,
    seed: { source: { kind: "none" }, due: { periodSeconds: 3 } },
  });
});

test.each(
  beaconDays.falsified as { name: string; entries: string[]; difference: string }[],
)("$name: $difference", async ({ entries: log, difference }) => {
  expect(await check(log, beaconDays.day)).toMatchObject({ ok: false, difference });
});
