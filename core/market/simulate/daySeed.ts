import { sha256 } from "@noble/hashes/sha2.js";
import { chainDays } from "#core/market/simulate/seedChain.ts";
import { dayMs as dayLengthMs } from "#core/money/time.ts";
import { roundBytes } from "#core/transparency-log/beacon.ts";
import { concatBytes, equalBytes, utf8ToBytes } from "#core/transparency-log/bytes.ts";
import type { SeedSource } from "#core/transparency-log/seedLeaf.ts";

/** Number of the day that `dayMs` is in, counted from the day on which the world was created. */
export function dayNumber(world: { createdAtMs: number }, dayMs: number): number {
  return Math.floor(dayMs / dayLengthMs) - Math.floor(world.createdAtMs / dayLengthMs);
}

/** Returns true if a revealed link is the one that the world's anchor committed to for that day. */
export function isSeedLink(
  world: { createdAtMs: number; seedAnchor: Uint8Array | null },
  dayMs: number,
  link: Uint8Array,
): boolean {
  const number = dayNumber(world, dayMs);
  if (!world.seedAnchor || number < 0 || number >= chainDays) return false;
  let hash = link;
  for (let remaining = number; remaining >= 0; remaining -= 1) hash = sha256(hash);
  return equalBytes(hash, world.seedAnchor);
}

/**
 * The seed of a day: its link, mixed with a value that the operator could not choose. A cosignature
 * counts by its time and signature alone: everything else in a note could be written in many ways.
 * A round counts by its number and signature, of which there is one.
 */
export function daySeed(link: Uint8Array, source: SeedSource): Uint8Array {
  return sha256(concatBytes(utf8ToBytes("drydock.seed/1\n"), link, mixedBytes(source)));
}

function mixedBytes(source: SeedSource): Uint8Array {
  if (source.kind === "none") return new Uint8Array();
  if (source.kind === "beacon") return concatBytes(roundBytes(source.round), source.signature);
  const time = new Uint8Array(8);
  new DataView(time.buffer).setBigUint64(0, BigInt(source.seconds));
  return concatBytes(time, source.signature);
}
