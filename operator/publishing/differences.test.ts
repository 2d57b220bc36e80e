import { expect, test } from "vitest";
import { diffLines, listChanges } from "#operator/publishing/differences.ts";

const tier = (rate: number) => ({ symbol: "BTC/USDT", tiers: [{ seconds: 60, rate_bp: rate }] });

test.each([
  ["equal bodies have no differences", tier(9_000), tier(9_000), []],
  ["a changed field is listed", tier(9_000), tier(8_900), [["tiers.0.rate_bp", "9000", "8900"]]],
  [
    "an added language is listed",
    { languages: { en: { title: "A" } } },
    { languages: { en: { title: "A" }, de: { title: "B" } } },
    [["languages.de.title", null, "B"]],
  ],
  [
    "a list is compared as one line",
    { venues: ["a", "b"] },
    { venues: ["a"] },
    [["venues", "a, b", "a"]],
  ],
  ["a missing text equals an empty one", { text: "" }, {}, []],
  [
    "a new body lists its fields",
    null,
    { url: "https://a.example" },
    [["url", null, "https://a.example"]],
  ],
  ["a removed limit is listed", { until_ms: 5 }, { until_ms: null }, [["until_ms", "5", null]]],
])("%s", (_, before, after, expected) => {
  expect(listChanges(before, after).map(({ path, before: a, after: b }) => [path, a, b])).toEqual(
    expected,
  );
});

test.each([
  ["a\nb\nc", "a\nc", " a,-b, c"],
  ["a", "a\nb", " a,+b"],
  ["a\nb", "c\nb", "-a,+c, b"],
  ["", "a", "+a"],
])("diffLines compares %j and %j", (before, after, expected) => {
  const marks = { same: " ", removed: "-", added: "+" };
  expect(String(diffLines(before, after).map(({ kind, text }) => marks[kind] + text))).toBe(
    expected,
  );
});

test("very long texts are replaced as a whole to bound the work", () => {
  const long = Array.from({ length: 600 }, (_, index) => String(index)).join("\n");
  const lines = diffLines(long, long);
  expect(lines.length).toBe(1_200);
});
