import { sha256 } from "@noble/hashes/sha2.js";
import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";

/** Choices that follow from a seed alone: the same seed, the same choices, on every machine. */
export interface Draw {
  /** A whole number from 0 to `end` - 1; `end` at most 2³². */
  below(end: number): number;
  pick<Item>(items: readonly Item[]): Item;
}

/**
 * Takes 32 bits a choice from SHA-256(label, seed, count). `label` keeps the choices of different
 * uses apart.
 */
export function createDraw(seed: Uint8Array, label: string): Draw {
  let count = 0;
  const below = (end: number) => {
    const hash = sha256(concatBytes(utf8ToBytes(`${label} ${count++} `), seed));
    return new DataView(hash.buffer, hash.byteOffset).getUint32(0) % end;
  };
  return { below, pick: (items) => items[below(items.length)] as (typeof items)[number] };
}
