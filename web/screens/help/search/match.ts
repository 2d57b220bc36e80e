/** A searchable item: its title and text in the language shown, and its address. */
export interface Searchable {
  title: string;
  text: string;
  to: string;
}

/** A part of help. */
export interface Entry extends Searchable {
  kind: "article" | "flag" | "promise" | "page";
}

/** Lower case without diacritics or width variants, so that "ETE" finds "été". */
function normalise(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{Mn}/gu, "")
    .toLowerCase();
}

/**
 * Entries that contain every word of `query`, those with the words in their title first; none for a
 * query without words.
 */
export function findEntries<Item extends Searchable>(
  entries: readonly Item[],
  query: string,
): Item[] {
  const words = normalise(query).split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const scored = entries.flatMap((entry) => {
    const title = normalise(entry.title);
    const searchText = `${title} ${normalise(entry.text)}`;
    if (!words.every((word) => searchText.includes(word))) return [];
    return [{ entry, score: words.filter((word) => title.includes(word)).length }];
  });
  return scored.sort((a, b) => b.score - a.score).map(({ entry }) => entry);
}

/**
 * The part of `text` around the first word of `query`, at most `length` characters, cut at spaces
 * where possible.
 */
export function extractExcerpt(text: string, query: string, length = 120): string {
  if (text.length <= length) return text;
  const word = normalise(query).split(/\s+/).find(Boolean) ?? "";
  const index = Math.max(0, text.toLowerCase().indexOf(word));
  let from = Math.max(0, Math.min(index - 30, text.length - length));
  const space = from > 0 ? text.indexOf(" ", from) : -1;
  if (space >= 0 && space < index) from = space + 1;
  const part = text.slice(from, from + length);
  const lastSpace = part.lastIndexOf(" ");
  const wholeWords =
    from + length >= text.length || lastSpace < length / 2 ? part : part.slice(0, lastSpace);
  return `${from > 0 ? "… " : ""}${wholeWords}${from + length < text.length ? " …" : ""}`;
}
