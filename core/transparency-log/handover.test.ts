import { readFileSync } from "node:fs";
import { ed25519 } from "@noble/curves/ed25519.js";
import { expect, test } from "vitest";
import { openCheckpoint, parseVkey, type VerifyEd25519 } from "./checkpoint.ts";
import { followHandovers } from "./handover.ts";

interface Case {
  name: string;
  trusted: string[];
  handovers: unknown;
  checkpoint: string;
  followed: string[];
  difference: string;
}
const { origin, cases, falsified } = JSON.parse(
  readFileSync(new URL("../../docs/formats/vectors/handover.json", import.meta.url), "utf8"),
) as { origin: string; cases: Case[]; falsified: Case[] };
const verify: VerifyEd25519 = (signature, message, key) => ed25519.verify(signature, message, key);

function follow({ trusted: vkeys, handovers, checkpoint }: Case): string[] | string {
  const result = followHandovers(handovers, { origin, vkeys }, verify);
  if (!result.ok) return result.error;
  const keys = result.vkeys.map((vkey) => parseVkey(vkey)!);
  const openedCheckpoint = openCheckpoint(checkpoint, origin, keys, verify);
  return openedCheckpoint.ok ? result.vkeys : "key_replaced";
}

test.each(cases)("$name: followed to the newest", (item) => {
  expect(follow(item)).toEqual(item.followed);
});

test.each(falsified)("falsified: $name: $difference", (item) => {
  expect(follow(item)).toBe(item.difference);
});
