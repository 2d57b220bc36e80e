import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hexToBytes } from "#core/transparency-log/bytes.ts";
import { verifyRound } from "#web/features/receipt/verifyRound.ts";

const { quicknet } = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../../docs/formats/vectors/beacon.json"), "utf8"),
);
const key = hexToBytes(quicknet.public_key);

test.each(
  quicknet.rounds as { round: number; signature: string }[],
)("round $round of drand quicknet is signed as it was published", ({ round, signature }) =>
  expect(verifyRound({ round, signature: hexToBytes(signature) }, key)).toBe(true));

test.each(
  quicknet.refused as { name: string; round: number; signature: string }[],
)("a signature $name is refused", ({ round, signature }) =>
  expect(verifyRound({ round, signature: hexToBytes(signature) }, key)).toBe(false));
