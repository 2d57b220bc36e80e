import { po } from "gettext-parser";

/** One message as a translator sees it. */
export interface PoEntry {
  key: string;
  english: string;
  /** Where it is shown and what to watch for; empty if there is nothing to note. */
  note: string;
  /** Files that name the key. */
  files: string[];
  translation: string;
}

/** A gettext file (PO) of one language: the key is the context, English the source text. */
export function formatPo(language: string, entries: PoEntry[]): string {
  const messages = Object.fromEntries(
    entries.map(({ key, english, note, files, translation }) => [
      key,
      {
        [english]: {
          msgctxt: key,
          msgid: english,
          msgstr: [translation],
          comments: { extracted: note, reference: files.join("\n") },
        },
      },
    ]),
  );
  const headers = {
    "Content-Type": "text/plain; charset=utf-8",
    "Content-Transfer-Encoding": "8bit",
    Language: language,
  };
  return po
    .compile({ charset: "utf-8", headers, translations: { "": {}, ...messages } })
    .toString("utf8");
}

/** The messages of a PO file, in its order. Throws for text that is not one. */
export function parsePo(text: string): Pick<PoEntry, "key" | "english" | "translation">[] {
  const { translations } = po.parse(text, { validation: true });
  return Object.entries(translations).flatMap(([key, messages]) =>
    key === ""
      ? []
      : Object.entries(messages).map(([english, { msgstr }]) => ({
          key,
          english,
          translation: msgstr[0] ?? "",
        })),
  );
}
