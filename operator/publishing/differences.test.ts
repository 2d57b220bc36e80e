import { expect, test } from "vitest";
import { differences, lineDifferences } from "#operator/publishing/differences.ts";

const tier = (rate: number) => ({ symbol: "BTC/USDT", tiers: [{ seconds: 60, rate_bp: rate }] });

test.each([
  ["the same is not a difference", tier(9_000), tier(9_000), []],
  ["a changed part", tier(9_000), tier(8_900), [["tiers.0.rate_bp", "9000", "8900"]]],
  [
    "a language more",
    { languages: { en: { title: "A" } } },
    { languages: { en: { title: "A" }, de: { title: "B" } } },
    [["languages.de.title", null, "B"]],
  ],
  ["a list in one line", { venues: ["a", "b"] }, { venues: ["a"] }, [["venues", "a, b", "a"]]],
  ["nothing and an empty text are the same", { text: "" }, {}, []],
  ["no body before", null, { url: "https://a.example" }, [["url", null, "https://a.example"]]],
  ["a limit taken away", { until_ms: 5 }, { until_ms: null }, [["until_ms", "5", null]]],
])("%s", (_, before, after, expected) => {
  expect(differences(before, after).map(({ at, before: a, after: b }) => [at, a, b])).toEqual(
    expected,
  );
});

test.each([
  ["a\nb\nc", "a\nc", " a,-b, c"],
  ["a", "a\nb", " a,+b"],
  ["a\nb", "c\nb", "-a,+c, b"],
  ["", "a", "+a"],
])("lines of %j and %j", (before, after, expected) => {
  const marks = { same: " ", removed: "-", added: "+" };
  expect(String(lineDifferences(before, after).map(({ kind, text }) => marks[kind] + text))).toBe(
    expected,
  );
});

test("very long texts are replaced as a whole, in bounded work", () => {
  const long = Array.from({ length: 600 }, (_, at) => String(at)).join("\n");
  const lines = lineDifferences(long, long);
  expect(lines.length).toBe(1_200);
});
