import { sha256 } from "@noble/hashes/sha2.js";
import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";

/** Deterministic choices: the same seed gives the same choices on every machine. */
export interface SeededChoice {
  /** An integer from 0 to `end` - 1; `end` is at most 2³². */
  below(end: number): number;
  pick<Item>(items: readonly Item[]): Item;
}

/**
 * Draws 32 bits per choice from SHA-256(label, seed, count). `label` separates the choices of
 * different uses.
 */
export function createSeededChoice(seed: Uint8Array, label: string): SeededChoice {
  let count = 0;
  const drawBelow = (end: number) => {
    const hash = sha256(concatBytes(utf8ToBytes(`${label} ${count++} `), seed));
    return new DataView(hash.buffer, hash.byteOffset).getUint32(0) % end;
  };
  return {
    below: drawBelow,
    pick: (items) => items[drawBelow(items.length)] as (typeof items)[number],
  };
}
