import { describe, expect, test } from "vitest";
import { parseReceiptText, receiptTextMax } from "#web/screens/verify/readReceiptText.ts";
import { formatSecondText, parseSecondText } from "#web/screens/verify/secondText.ts";

describe("parseReceiptText", () => {
  test.each([
    ["", "empty"],
    [" \n", "empty"],
    ["[1]", "not_json"],
    ["null", "not_json"],
    ["{", "not_json"],
    [`"${"x".repeat(receiptTextMax)}"`, "too_large"],
  ])("%.20j is refused as %s", (text, error) => {
    expect(parseReceiptText(text)).toEqual({ ok: false, error });
  });
  test("an object nested deeper than any receipt is refused", () => {
    for (const depth of [18, 5_000, 40_000]) {
      const text = `{"format":"x","order":${'{"a":'.repeat(depth)}1${"}".repeat(depth)}}`;
      expect(parseReceiptText(text)).toEqual({ ok: false, error: "not_json" });
    }
  });
  test("an object is accepted", () => {
    expect(parseReceiptText('{"format":"x"}')).toEqual({ ok: true, receipt: { format: "x" } });
  });
});

describe("parseSecondText", () => {
  test.each([
    ["2026-01-05 12:00:07", Date.UTC(2026, 0, 5, 12, 0, 7)],
    ["2026-01-05T12:00:07Z", Date.UTC(2026, 0, 5, 12, 0, 7)],
    [" 2026-01-05 12:00 ", Date.UTC(2026, 0, 5, 12)],
  ])("%s is parsed", (text, atMs) => {
    expect(parseSecondText(text)).toBe(atMs);
  });
  test.each([
    "",
    "now",
    "2026-02-31 00:00:00",
    "2026-01-05",
    "2026-01-05 25:00:00",
  ])("%j is refused", (text) => {
    expect(parseSecondText(text)).toBeNull();
  });
  test("a formatted second parses back to itself", () => {
    expect(parseSecondText(formatSecondText(1_767_571_207_000))).toBe(1_767_571_207_000);
  });
});
