import { sha256 } from "@noble/hashes/sha2.js";
import { equalBytes } from "#core/transparency-log/bytes.ts";

/**
 * Days one chain lasts: a hundred years. A hash chain, because mining must also pay for days of
 * downtime, and no one may choose those days' blocks, or a market's path, at the restart: one
 * commitment fixes every day of a century.
 */
export const chainDays = 36_525;
const seedBytes = 32;

/**
 * The daily seeds of a simulated network, or the daily links of a simulated market. Each is the SHA-256 preimage of the one before, the first
 * that of the anchor. So the anchor, logged with the first reading, commits to all of them,
 * including days on which nothing runs; and a revealed seed tells nothing about the next. `secret`
 * is 32 random bytes.
 */
export class SeedChain {
  readonly #links: Uint8Array;

  constructor(secret: Uint8Array) {
    if (secret.length !== seedBytes) throw new RangeError("a secret must be 32 bytes");
    this.#links = new Uint8Array((chainDays + 1) * seedBytes);
    let link = secret;
    for (let index = chainDays; index >= 0; index -= 1) {
      this.#links.set(link, index * seedBytes);
      link = sha256(link);
    }
  }

  get anchor(): Uint8Array {
    return this.#link(0);
  }

  /**
   * The seed of the `day`th day, counted from 0. Throws a RangeError past the chain's
   * end.
   */
  seedOf(day: number): Uint8Array {
    if (day < 0 || day >= chainDays) throw new RangeError("the seed chain has no such day");
    return this.#link(day + 1);
  }

  #link(index: number): Uint8Array {
    return this.#links.slice(index * seedBytes, (index + 1) * seedBytes);
  }
}

/**
 * Returns true if a revealed seed is the committed one: `before` is the previous day's seed, or the
 * anchor.
 */
export function isNextSeed(before: Uint8Array, seed: Uint8Array): boolean {
  return equalBytes(sha256(seed), before);
}
