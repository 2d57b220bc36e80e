/** Entries that one person's address book holds at most. */
export const bookMax = 100;

/** Characters of a name, counted as a person counts them (grapheme clusters). */
const bookNameMax = 30;

/**
 * Bound of what one such character may be made of, all together: letters with piles of marks are no
 * names.
 */
const codePointsMax = 200;

/**
 * Controls, line and paragraph breaks, and marks that turn the direction of what follows: a name
 * could pretend with them.
 */
const unseen = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/**
 * A name as it is kept: composed (NFC), without unseen controls, blanks joined and trimmed. Refused
 * when nothing is left or more than 30 characters are.
 */
export function readBookName(
  text: string,
): { ok: true; name: string } | { ok: false; reason: "empty" | "too_long" } {
  const name = text.normalize("NFC").replace(unseen, " ").replace(/\s+/gu, " ").trim();
  if (name === "" || !/[^\p{Cf}\p{Z}]/u.test(name)) return { ok: false, reason: "empty" };
  if (codePointsOf(name) > codePointsMax || charactersOf(name) > bookNameMax) {
    return { ok: false, reason: "too_long" };
  }
  return { ok: true, name };
}

function charactersOf(text: string): number {
  let count = 0;
  for (const _ of new Intl.Segmenter("en", { granularity: "grapheme" }).segment(text)) count += 1;
  return count;
}

function codePointsOf(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
