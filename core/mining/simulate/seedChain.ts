import { sha256 } from "@noble/hashes/sha2.js";
import { sameBytes } from "#core/transparency-log/bytes.ts";

/**
 * Days one chain lasts: a hundred years.
 * One hash chain, because mining must pay days on which nothing ran, and their blocks must not be
 * open to choice at the restart: one commitment fixes every day of a century.
 */
const chainDays = 36_525;
const seedBytes = 32;

/**
 * The seeds of a simulated network's days. Each is the preimage of the one before it under SHA-256,
 * the first that of the anchor. So the anchor, logged with the first reading, commits to all of
 * them, days on which nothing runs included; and a revealed seed tells nothing of the next.
 * `secret` is 32 bytes of chance.
 */
export class SeedChain {
  readonly #links: Uint8Array;

  constructor(secret: Uint8Array) {
    if (secret.length !== seedBytes) throw new RangeError("a secret has 32 bytes");
    this.#links = new Uint8Array((chainDays + 1) * seedBytes);
    let link = secret;
    for (let at = chainDays; at >= 0; at -= 1) {
      this.#links.set(link, at * seedBytes);
      link = sha256(link);
    }
  }

  get anchor(): Uint8Array {
    return this.#link(0);
  }

  /**
   * The seed of the network's `day`th day, 0 the first. Throws a RangeError past the chain's end.
   */
  seedOf(day: number): Uint8Array {
    if (day < 0 || day >= chainDays) throw new RangeError("the chain of seeds has no such day");
    return this.#link(day + 1);
  }

  #link(at: number): Uint8Array {
    return this.#links.slice(at * seedBytes, (at + 1) * seedBytes);
  }
}

/**
 * Whether a revealed seed is the one that was committed to: `before` is the seed of the day before,
 * or the anchor.
 */
export function followsSeed(before: Uint8Array, seed: Uint8Array): boolean {
  return sameBytes(sha256(seed), before);
}
