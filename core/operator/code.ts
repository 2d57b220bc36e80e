import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "#core/transparency-log/bytes.ts";

/** Crockford's base 32: no I, L, O or U, so that a code can be read out and typed reliably. */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const letterCount = 28;
const groupLetters = 4;

/** Random bytes needed for a code; 140 bits of them are used. */
export const codeBytes = 18;

/**
 * A one-time code of 140 bits in seven groups of four: `7K2Q-…`. More than 128 bits, because its
 * hash is stored unsalted.
 */
export function writeCode(random: Uint8Array): string {
  if (random.length < codeBytes) throw new RangeError(`a code needs ${codeBytes} bytes`);
  let text = "";
  for (let index = 0; index < letterCount; index += 1) {
    const bit = index * 5;
    const pair = ((random[bit >> 3] as number) << 8) | (random[(bit >> 3) + 1] ?? 0);
    text += alphabet[(pair >> (11 - (bit & 7))) & 31];
    if (index % groupLetters === groupLetters - 1 && index < letterCount - 1) text += "-";
  }
  return text;
}

/** Normalises a typed code for hashing: case, spaces and dashes are ignored. Null if malformed. */
export function parseCode(input: string): string | null {
  const normalized = input
    .toUpperCase()
    .replaceAll(/[\s-]/g, "")
    .replaceAll("O", "0")
    .replaceAll(/[IL]/g, "1");
  return normalized.length === letterCount &&
    Array.from(normalized).every((letter) => alphabet.includes(letter))
    ? normalized
    : null;
}

/** The stored hash of a code, or null if malformed. */
export function hashCode(input: string): Uint8Array | null {
  const normalized = parseCode(input);
  return normalized === null ? null : sha256(utf8ToBytes(normalized));
}
