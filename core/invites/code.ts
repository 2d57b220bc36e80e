/** Digits and capitals without look-alikes (0 O, 1 I L, U next to V, 2 Z, 5 S, 8 B). */
export const codeAlphabet = "34679ACDEFGHJKMNPQRTVWXY";
export const codeLength = 10;
/**
 * Letters of a one-use code of a class: 55 bits. The length distinguishes it from an invite code.
 */
export const classCodeLength = 12;

/**
 * Makes a code from random bytes, skipping bytes that would bias the letters. Null if too few are
 * left.
 */
export function writeCode(chance: Uint8Array, length: number = codeLength): string | null {
  const fairBytes = 256 - (256 % codeAlphabet.length);
  const letters = [...chance]
    .filter((byte) => byte < fairBytes)
    .slice(0, length)
    .map((byte) => codeAlphabet[byte % codeAlphabet.length]);
  return letters.length === length ? letters.join("") : null;
}

/** Reads a typed code: upper-cased, without spaces and hyphens; null when it cannot be a code. */
export function parseCode(text: string, length: number = codeLength): string | null {
  const code = text.replaceAll(/[\s-]/g, "").toUpperCase();
  if (code.length !== length) return null;
  return Array.from(code).every((letter) => codeAlphabet.includes(letter)) ? code : null;
}

/** Parses a one-use code of a class as typed or scanned; null if it cannot be one. */
export function parseClassCode(text: string): string | null {
  return parseCode(text, classCodeLength);
}

/** Formats a code in groups of four, as printed: `34AC-DEFG-HJKM`. */
export function formatPrintedCode(code: string): string {
  return (code.match(/.{1,4}/g) ?? []).join("-");
}
