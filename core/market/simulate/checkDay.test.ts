import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ed25519 } from "@noble/curves/ed25519.js";
import { expect, test } from "vitest";
import { checkDay } from "#core/market/simulate/checkDay.ts";
import { hexToBytes } from "#core/transparency-log/bytes.ts";

const { day: vector } = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../../docs/formats/vectors/simulator.json"), "utf8"),
);
const { origin, day, entries, falsified } = vector;

function check(log: string[], number: number = day) {
  const leaves = log.map(hexToBytes);
  const progress: number[] = [];
  const options = {
    verify: (signature: Uint8Array, message: Uint8Array, key: Uint8Array) =>
      ed25519.verify(signature, message, key),
    onProgress: (part: number) => progress.push(part),
  };
  const read = {
    size: leaves.length,
    origin,
    leaves: async (from: number, to: number) => leaves.slice(from, to),
  };
  return checkDay(read, number, options);
}

test("the published day agrees with the log from its history to the next day", async () => {
  expect(await check(entries)).toEqual({
    ok: true,
    day,
    due: 29,
    missing: 2,
    voids: 0,
    closed: 27,
    witness: expect.stringContaining("witness.example"),
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
