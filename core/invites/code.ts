/** Digits and capitals without look-alikes (0 O, 1 I L, U next to V, 2 Z, 5 S, 8 B). */
export const codeAlphabet = "34679ACDEFGHJKMNPQRTVWXY";
export const codeLength = 10;

/**
 * Makes a code from random bytes, skipping bytes that would bias the letters. Null if too few are
 * left.
 */
export function writeCode(chance: Uint8Array): string | null {
  const fair = 256 - (256 % codeAlphabet.length);
  const letters = [...chance]
    .filter((byte) => byte < fair)
    .slice(0, codeLength)
    .map((byte) => codeAlphabet[byte % codeAlphabet.length]);
  return letters.length === codeLength ? letters.join("") : null;
}

/** Reads a typed code: upper-cased, without spaces and hyphens; null when it cannot be a code. */
export function parseCode(text: string): string | null {
  const code = text.replaceAll(/[\s-]/g, "").toUpperCase();
  if (code.length !== codeLength) return null;
  return Array.from(code).every((letter) => codeAlphabet.includes(letter)) ? code : null;
}
