import { expect, test } from "vitest";
import { parseBookName } from "./addressBook.ts";

test.each<[string, string, string]>([
  ["a name", "Harbour desk", "Harbour desk"],
  ["is trimmed, its blanks joined", "  My\t \n wallet ", "My wallet"],
  ["of thirty letters", "a".repeat(30), "a".repeat(30)],
  ["of thirty one", "a".repeat(31), "too_long"],
  ["of families, each one character to a person", "👨‍👩‍👧‍👦".repeat(28), "👨‍👩‍👧‍👦".repeat(28)],
  ["of thirty letters with combining marks", "e\u0301".repeat(30), "é".repeat(30)],
  ["in Japanese", "港の机", "港の机"],
  ["piled up with marks", `a${"\u0316".repeat(300)}`, "too_long"],
  ["empty", "", "empty"],
  ["of blanks", " \u00a0\u3000 ", "empty"],
  ["of nothing that shows", "\u200b\u200d", "empty"],
  ["cannot turn the direction of what follows", "pay\u202eelttil", "pay elttil"],
  ["nor that of its neighbours", "pay\u200f\u061cme\u200e", "pay me"],
  ["has no line breaks", "one\u2028two", "one two"],
])("a name %s", (_title, text, expected) => {
  const read = parseBookName(text);
  expect(read.ok ? read.name : read.reason).toBe(expected);
});
