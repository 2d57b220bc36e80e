import { expect, test } from "vitest";
import { parseBookName } from "./addressBook.ts";

test.each<[string, string, string]>([
  ["of plain text is kept", "Harbour desk", "Harbour desk"],
  ["is trimmed and its blanks are collapsed", "  My\t \n wallet ", "My wallet"],
  ["of thirty letters is kept", "a".repeat(30), "a".repeat(30)],
  ["of thirty-one letters is too long", "a".repeat(31), "too_long"],
  ["of emoji families counts each as one character", "👨‍👩‍👧‍👦".repeat(28), "👨‍👩‍👧‍👦".repeat(28)],
  ["of thirty letters with combining marks is kept", "e\u0301".repeat(30), "é".repeat(30)],
  ["in Japanese", "港の机", "港の机"],
  ["with stacked combining marks is too long", `a${"\u0316".repeat(300)}`, "too_long"],
  ["empty", "", "empty"],
  ["of blanks is empty", " \u00a0\u3000 ", "empty"],
  ["of invisible characters is empty", "\u200b\u200d", "empty"],
  ["loses right-to-left overrides", "pay\u202eelttil", "pay elttil"],
  ["loses directional marks", "pay\u200f\u061cme\u200e", "pay me"],
  ["loses line breaks", "one\u2028two", "one two"],
])("a name %s", (_title, text, expected) => {
  const result = parseBookName(text);
  expect(result.ok ? result.name : result.error).toBe(expected);
});
