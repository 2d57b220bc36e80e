import { globSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
/** The gallery is for developers only. */
const files = ["web", "ui", "operator"]
  .flatMap((room) => globSync(join(root, room, "**/*.tsx")))
  .filter((file) => !/\.test\.tsx$|web\/screens\/gallery\//.test(file));

/** Attributes whose text a person reads or hears. */
const spokenAttribute =
  "aria-label|aria-description|aria-valuetext|title|placeholder|alt|label|hint|note|description";
/** Names, units and field terms that are the same in every language. */
const untranslatable = /^(?:Drydock|TH\/s|J\/TH|QR|PIN|UTC|SHA-256|EIP-4361|W|kWh|bp|BTC|pUSDT)$/;

/** Texts that look like words but are none: a message key, code between two signs, bytes. */
const nonWords = /^[a-z_-]+(?:\.[\w-]+)+$|^:|^extends |^0x/;

/** Words between tags, and in attributes that are read aloud, that do not come from a catalogue. */
function findUntranslated(source: string): string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
  const between = [...code.matchAll(/(?<![=-])>([^<>{}=;()]*\p{L}{2,}[^<>{}=;()]*)<\/?[A-Za-z]/gu)];
  const attributes = [
    ...code.matchAll(
      new RegExp(`\\b(?:${spokenAttribute})=(?:"([^"]*)"|\\{["\`]([^"\`$]*)["\`]\\})`, "g"),
    ),
  ];
  const texts = [...between, ...attributes].map((match) => (match[1] ?? match[2] ?? "").trim());
  return texts.filter(
    (text) => /\p{L}{2,}/u.test(text) && !untranslatable.test(text) && !nonWords.test(text),
  );
}

describe("untranslated", () => {
  test.each([
    ["<p>Hello there</p>", ["Hello there"]],
    ["<p>\n  Two\n</p>", ["Two"]],
    ["<b>{say('x')} left</b>", []],
    ['<input placeholder="Search" />', ["Search"]],
    ['<button aria-label={"Close"} />', ["Close"]],
    ['<svg aria-label={label}><path d="M1 2" /></svg>', []],
    ["const a = (b: Map<string, number>) => b.size > 0 && c < 3;", []],
    ["// <p>Why this is so</p>", []],
    ["<span>Drydock</span>", []],
  ])("%s", (source, texts) => {
    expect(findUntranslated(source)).toEqual(texts);
  });
});

test("all text of screens comes from the catalogues", () => {
  const texts = files.flatMap((file) =>
    findUntranslated(readFileSync(file, "utf8")).map((text) => `${relative(root, file)}: ${text}`),
  );
  expect(files.length).toBeGreaterThan(200);
  expect(texts).toEqual([]);
});
