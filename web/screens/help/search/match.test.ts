import { expect, test } from "vitest";
import { type Entry, excerpt, findEntries } from "./match.ts";

const entry = (title: string, text: string): Entry => ({ kind: "article", title, text, to: title });
const entries = [
  entry("Mining", "A machine pays by a formula. The fee of the pool is 2 %."),
  entry("A tax or fee first", "You want your money."),
  entry("Été", "Frais d’activation"),
  entry("出金の基準", "手数料は金額から引かれます。"),
];

test.each<[string, string, string[]]>([
  ["a word in a title comes before one in a text", "fee", ["A tax or fee first", "Mining"]],
  ["all words must be there", "fee formula", ["Mining"]],
  ["parts of words are found", "machi", ["Mining"]],
  ["marks and case do not matter", "ETE", ["Été"]],
  ["languages without spaces are searched too", "手数料", ["出金の基準"]],
  ["full-width letters are letters", "ｆｅｅ", ["A tax or fee first", "Mining"]],
  ["spaces alone find nothing", "   ", []],
  ["what is nowhere is not found", "zebra", []],
])("%s", (_title, query, titles) => {
  expect(findEntries(entries, query).map(({ title }) => title)).toEqual(titles);
});

test("an excerpt shows the word that was searched for, and says where it is cut", () => {
  const text = `${"before ".repeat(40)}needle ${"after ".repeat(40)}`;
  const part = excerpt(text, "needle");
  expect(part).toContain("needle");
  expect(part.startsWith("… ")).toBe(true);
  expect(part.endsWith(" …")).toBe(true);
  expect(part.length).toBeLessThanOrEqual(124);
  expect(excerpt("short", "x")).toBe("short");
});
