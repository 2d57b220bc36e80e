/**
 * Digits and capitals without those that look like others (0 O, 1 I L, U V beside each other, 2 Z,
 * 5 S, 8 B).
 */
export const codeAlphabet = "34679ACDEFGHJKMNPQRTVWXY";
export const codeLength = 10;

/**
 * A code from bytes of chance; bytes that would favour some letters are passed over. Null: there
 * were too few.
 */
export function writeCode(chance: Uint8Array): string | null {
  const fair = 256 - (256 % codeAlphabet.length);
  const letters = [...chance]
    .filter((byte) => byte < fair)
    .slice(0, codeLength)
    .map((byte) => codeAlphabet[byte % codeAlphabet.length]);
  return letters.length === codeLength ? letters.join("") : null;
}

/**
 * The code that was typed, in capitals and without spaces and hyphens; null when it cannot be one.
 */
export function readCode(text: string): string | null {
  const code = text.replaceAll(/[\s-]/g, "").toUpperCase();
  if (code.length !== codeLength) return null;
  return Array.from(code).every((letter) => codeAlphabet.includes(letter)) ? code : null;
}
