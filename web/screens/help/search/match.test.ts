import { expect, test } from "vitest";
import { type Entry, extractExcerpt, findEntries } from "./match.ts";

const entry = (title: string, text: string): Entry => ({ kind: "article", title, text, to: title });
const entries = [
  entry("Mining", "A machine pays by a formula. The fee of the pool is 2 %."),
  entry("A tax or fee first", "You want your money."),
  entry("Été", "Frais d’activation"),
  entry("出金の基準", "手数料は金額から引かれます。"),
];

test.each<[string, string, string[]]>([
  ["a match in a title ranks before one in a text", "fee", ["A tax or fee first", "Mining"]],
  ["all words must match", "fee formula", ["Mining"]],
  ["parts of words match", "machi", ["Mining"]],
  ["accents and case are ignored", "ETE", ["Été"]],
  ["languages without spaces are searched", "手数料", ["出金の基準"]],
  ["full-width letters are normalised", "ｆｅｅ", ["A tax or fee first", "Mining"]],
  ["spaces find nothing", "   ", []],
  ["an unknown word finds nothing", "zebra", []],
])("%s", (_title, query, titles) => {
  expect(findEntries(entries, query).map(({ title }) => title)).toEqual(titles);
});

test("an excerpt contains the match and marks where it is cut", () => {
  const text = `${"before ".repeat(40)}needle ${"after ".repeat(40)}`;
  const part = extractExcerpt(text, "needle");
  expect(part).toContain("needle");
  expect(part.startsWith("… ")).toBe(true);
  expect(part.endsWith(" …")).toBe(true);
  expect(part.length).toBeLessThanOrEqual(124);
  expect(extractExcerpt("short", "x")).toBe("short");
});
