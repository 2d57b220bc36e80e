/**
 * Digits and capitals that cannot be taken for each other when they are read out or typed: no 0 O,
 * 1 I L, 2 Z, 5 S, 8 B, U V.
 */
export const viewCodeAlphabet = "34679ACDEFGHJKMNPQRTWXY";
const viewCodeLength = 8;
/** How long a code that a person shows is good, in real time. */
export const viewCodeMs = 10 * 60_000;
/** How long one viewing lasts at most, in real time. */
export const viewingMs = 30 * 60_000;

/** The parts of a person's pages that a viewing opens, each recorded when it is first opened. */
const viewedSections = ["wallet", "orders", "withdrawals", "records", "account"] as const;
export type ViewedSection = (typeof viewedSections)[number];

/**
 * A code from bytes of chance; bytes that would favour some letters are passed over. Null: there
 * were too few.
 */
export function writeViewCode(chance: Uint8Array): string | null {
  const fair = 256 - (256 % viewCodeAlphabet.length);
  const letters = Array.from(chance)
    .filter((byte) => byte < fair)
    .slice(0, viewCodeLength)
    .map((byte) => viewCodeAlphabet[byte % viewCodeAlphabet.length]);
  return letters.length === viewCodeLength ? letters.join("") : null;
}

/**
 * The code that was typed, in capitals and without spaces and hyphens; null when it cannot be one.
 */
export function readViewCode(typed: string): string | null {
  const code = typed.replaceAll(/[\s-]/g, "").toUpperCase();
  if (code.length !== viewCodeLength) return null;
  return Array.from(code).every((letter) => viewCodeAlphabet.includes(letter)) ? code : null;
}

/** In two groups of four, as it is shown and read out. */
export function showViewCode(code: string): string {
  return `${code.slice(0, 4)} ${code.slice(4)}`;
}
