/** The most entries in a person's address book. */
export const bookMax = 100;

/** Maximum length of a name in grapheme clusters, as people count characters. */
const bookNameMax = 30;

/** Maximum code points of a name: stacks of combining marks are not names. */
const codePointsMax = 200;

/**
 * Control characters, line and paragraph separators, and bidirectional marks, with which a name
 * could pretend to be another.
 */
const unseen = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/**
 * Normalises a name for storage: composed (NFC), without invisible controls, blanks collapsed and
 * trimmed. Refused when empty or longer than 30 characters.
 */
export function parseBookName(
  text: string,
): { ok: true; name: string } | { ok: false; error: "empty" | "too_long" } {
  const name = text.normalize("NFC").replace(unseen, " ").replace(/\s+/gu, " ").trim();
  if (name === "" || !/[^\p{Cf}\p{Z}]/u.test(name)) return { ok: false, error: "empty" };
  if (countCodePoints(name) > codePointsMax || countCharacters(name) > bookNameMax) {
    return { ok: false, error: "too_long" };
  }
  return { ok: true, name };
}

function countCharacters(text: string): number {
  let count = 0;
  for (const _ of new Intl.Segmenter("en", { granularity: "grapheme" }).segment(text)) count += 1;
  return count;
}

function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
