const eastAsian =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]+$/u;

/** Widths in em of IBM Plex Sans SemiBold and of East Asian fonts, rounded up. */
function measureWidth(character: string): number {
  if (eastAsian.test(character)) return 1;
  if (/[\sijlI.,:;'’|!·()]/.test(character)) return 0.33;
  if (/[mwMW%@]/.test(character)) return 0.95;
  return /\p{Lu}/u.test(character) ? 0.7 : 0.6;
}

/** Measures the width of a text in em, never less than a browser's drawing of it. */
export function measureText(text: string): number {
  return Array.from(text, measureWidth).reduce((sum, width) => sum + width, 0);
}

/**
 * Breaks a text into lines no wider than `em`, because SVG does not wrap text. Lines break between
 * words of the language, so that punctuation stays with the word before it.
 */
export function wrapText(text: string, em: number, locale: string): string[] {
  const lines: string[] = [];
  let line = "";
  let piece = "";
  const flush = () => {
    if (line !== "" && measureText((line + piece).trimEnd()) > em) {
      lines.push(line.trim());
      line = "";
    }
    line += piece;
    piece = "";
  };
  for (const { segment, isWordLike } of new Intl.Segmenter(locale, {
    granularity: "word",
  }).segment(text)) {
    // A word begins after a space, or anywhere in a script without spaces.
    if (/[ \u3000]$/.test(piece) || (isWordLike && eastAsian.test(segment))) flush();
    piece += segment;
  }
  flush();
  if (line.trim() !== "") lines.push(line.trim());
  return lines;
}
