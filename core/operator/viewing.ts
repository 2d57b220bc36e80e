/**
 * Digits and capitals that cannot be confused when read out or typed: no 0 O, 1 I L, 2 Z, 5 S, 8 B,
 * U V.
 */
export const viewCodeAlphabet = "34679ACDEFGHJKMNPQRTWXY";
const viewCodeLength = 8;
/** How long a code shown by a person is valid, in real time. */
export const viewCodeMs = 10 * 60_000;
/** Maximum duration of a viewing, in real time. */
export const viewingMs = 30 * 60_000;

/** Parts of a person's pages that a viewing covers, each recorded when first opened. */
const viewedSections = ["wallet", "orders", "withdrawals", "records", "account"] as const;
export type ViewedSection = (typeof viewedSections)[number];

/**
 * Makes a code from random bytes, skipping bytes that would bias the letters. Null if too few are
 * left.
 */
export function writeViewCode(chance: Uint8Array): string | null {
  const fairBytes = 256 - (256 % viewCodeAlphabet.length);
  const letters = Array.from(chance)
    .filter((byte) => byte < fairBytes)
    .slice(0, viewCodeLength)
    .map((byte) => viewCodeAlphabet[byte % viewCodeAlphabet.length]);
  return letters.length === viewCodeLength ? letters.join("") : null;
}

/** Reads a typed code: upper-cased, without spaces and hyphens; null when it cannot be a code. */
export function parseViewCode(input: string): string | null {
  const code = input.replaceAll(/[\s-]/g, "").toUpperCase();
  if (code.length !== viewCodeLength) return null;
  return Array.from(code).every((letter) => viewCodeAlphabet.includes(letter)) ? code : null;
}

/** Formats a code in two groups of four, for display and reading out. */
export function formatViewCode(code: string): string {
  return `${code.slice(0, 4)} ${code.slice(4)}`;
}
