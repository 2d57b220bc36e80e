import { sha256 } from "@noble/hashes/sha2.js";
import { equalBytes } from "#core/transparency-log/bytes.ts";
import type { NetworkLeaf } from "#core/transparency-log/networkLeaf.ts";

const dayHours = 24;
/** The number of days in a seed chain. */
const daysMax = 36_525;

type SeedMembers = Pick<NetworkLeaf, "source" | "hour" | "anchor" | "revealed">;

/**
 * Returns true if readings, in the order of their hours, state the network's seeds as required
 * (docs/formats/mining.md, step 8): an anchor in the first alone, a revealed seed at each other
 * midnight, and each hashing to the one before it, or to the anchor.
 */
export function doRevealsAgree(readings: readonly SeedMembers[]): boolean {
  /** The last revealed value and its day; the anchor counts as the day before the first. */
  let lastReveal: { day: number; value: Uint8Array } | null = null;
  for (const [index, { source, hour, anchor, revealed }] of readings.entries()) {
    if (source !== readings[0]!.source) return false;
    if (source === "replay") continue;
    if (anchor && index > 0) return false;
    const isDue = hour % dayHours === 0 && !anchor;
    if (isDue !== (revealed !== null)) return false;
    const day = Math.floor(hour / dayHours) - 1;
    if (revealed && lastReveal && !leadsTo(revealed, lastReveal.value, day - lastReveal.day))
      return false;
    const value = anchor ?? revealed;
    if (value) lastReveal = { day, value };
  }
  return true;
}

/** Returns true if hashing a seed once for each day in between gives the earlier value. */
function leadsTo(seed: Uint8Array, earlierSeed: Uint8Array, days: number): boolean {
  if (days < 1 || days > daysMax) return false;
  let value = seed;
  for (let count = 0; count < days; count += 1) value = sha256(value);
  return equalBytes(value, earlierSeed);
}
