import { commonWords } from "./commonWords.ts";

/** Unicode code points of a passphrase. */
export const passphraseMin = 12;
export const passphraseMax = 128;

/**
 * The passphrase as it is hashed: NFKC, so that every keyboard produces the same one. Null if its
 * length is out of range.
 */
export function parsePassphrase(input: string): string | null {
  const passphrase = input.normalize("NFKC");
  const length = Array.from(passphrase).length;
  return length >= passphraseMin && length <= passphraseMax ? passphrase : null;
}

/** A passphrase of at most this many common parts is refused. */
const partsMax = 3;
/** The longest repeated unit that is refused, as in `abc1abc1abc1`. */
const repeatedMax = 8;
const wordMax = Math.max(...Array.from(commonWords, ({ length }) => length));

/** Characters that stand for letters in passwords. */
const lookAlikes: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "@": "a",
  $: "s",
  "!": "i",
  "€": "e",
};

/**
 * Returns true if a passphrase is easy to guess: at most three common words or numbers (`Password1234!`, `qwertyuiop2024`), a short repeated unit, or a single character with variations. Case, blanks, signs and look-alikes (`P4$$w0rd`) do not hide a word (OWASP ASVS
 * 5.0, 6.2.4 and 6.2.11).
 */
export function isCommonPassphrase(passphrase: string): boolean {
  const lower = passphrase.toLowerCase();
  if (isRepeated(lower)) return true;
  const characters = Array.from(lower).filter(
    (character) => isPlain(character) || character in lookAlikes,
  );
  // Only blanks and signs.
  if (characters.length === 0) return true;
  const letters = characters.map((character) => lookAlikes[character] ?? character);
  return (
    isRepeated(characters.join("")) || isComposedOf({ shown: characters, letters }, 0, partsMax)
  );
}

function isPlain(character: string): boolean {
  return /[\p{L}\p{N}]/u.test(character);
}

function isRepeated(text: string): boolean {
  for (let length = 1; length <= Math.min(repeatedMax, text.length / 2); length += 1) {
    const unit = text.slice(0, length);
    // The last repetition may be incomplete: `abcabcabcab`.
    if (unit.repeat(Math.ceil(text.length / length)).startsWith(text)) return true;
  }
  return false;
}

interface ReadHash {
  /** Each character as it was typed. */
  shown: readonly string[];
  /** The same with look-alikes replaced by letters. */
  letters: readonly string[];
}

/** Returns true if the rest of a text consists of at most `parts` common words and numbers. */
function isComposedOf(text: ReadHash, start: number, parts: number): boolean {
  const { shown, letters } = text;
  const first = shown[start];
  if (first === undefined) return true;
  if (!isPlain(first) && isComposedOf(text, start + 1, parts)) return true;
  if (parts === 0) return false;
  let end = start;
  while (/\p{N}/u.test(shown[end] ?? "")) end += 1;
  if (end > start && isComposedOf(text, end, parts - 1)) return true;
  for (let length = Math.min(wordMax, shown.length - start); length >= 2; length -= 1) {
    const word = letters.slice(start, start + length).join("");
    if (commonWords.has(word) && isComposedOf(text, start + length, parts - 1)) return true;
  }
  return false;
}
