import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { coinCodes, coinScale, isCoin } from "#core/money/coins.ts";
import {
  type DecimalError,
  formatDecimal,
  parseDecimal,
  parseSigned,
  toMinorUnits,
  truncateDecimal,
} from "#core/money/decimal.ts";

test.each([
  ["pUSDT", 6],
  ["pUSDC", 6],
  ["pBTC", 8],
  ["pETH", 9],
] as const)("%s has a scale of %i", (coin, scale) => {
  expect(coinScale(coin)).toBe(scale);
});

test.each([
  "USDT",
  "BTC",
  "pusdt",
  "PUSDT",
  "pUSDT ",
  "",
  "toString",
  "__proto__",
])("isCoin rejects %j", (code) => {
  expect(isCoin(code)).toBe(false);
});

describe("parseDecimal", () => {
  test.each<[string, number, bigint]>([
    ["0", 6, 0n],
    ["0.000001", 6, 1n],
    ["1", 6, 1_000_000n],
    ["12.5", 6, 12_500_000n],
    ["12.500000", 6, 12_500_000n],
    ["100", 0, 100n],
    ["999999999999.999999", 6, 999_999_999_999_999_999n],
    ["23123.45", 2, 2_312_345n],
  ])("%j at scale %i is %s", (text, scale, value) => {
    expect(parseDecimal(text, scale)).toEqual({ ok: true, value });
  });

  test.each<[string, string, DecimalError]>([
    ["nothing", "", "malformed"],
    ["a space", " ", "malformed"],
    ["surrounding spaces", " 1 ", "malformed"],
    ["a trailing line break", "1\n", "malformed"],
    ["a minus sign", "-1", "malformed"],
    ["minus zero", "-0", "malformed"],
    ["a plus sign", "+1", "malformed"],
    ["an exponent", "1e3", "malformed"],
    ["a capital E exponent", "1E3", "malformed"],
    ["hexadecimal", "0x10", "malformed"],
    ["not a number", "NaN", "malformed"],
    ["infinity", "Infinity", "malformed"],
    ["leading zeros", "01", "malformed"],
    ["two zeros", "00", "malformed"],
    ["nothing before the point", ".5", "malformed"],
    ["nothing after the point", "5.", "malformed"],
    ["two points", "1.2.3", "malformed"],
    ["a comma", "1,5", "malformed"],
    ["grouping", "1,000", "malformed"],
    ["grouping by spaces", "1 000", "malformed"],
    ["underscores", "1_000", "malformed"],
    ["a bigint literal", "1n", "malformed"],
    ["Arabic-Indic digits", "١٢٣", "malformed"],
    ["full-width digits", "１２", "malformed"],
    ["Devanagari digits after the point", "1.२", "malformed"],
    ["a superscript", "1²", "malformed"],
    ["a zero-width space", "1\u200b0", "malformed"],
    ["a null byte", "1\u0000", "malformed"],
    ["one digit beyond the scale", "0.0000001", "excess_digits"],
    ["a zero beyond the scale", "1.0000000", "excess_digits"],
    ["a thousand digits after the point", `0.${"0".repeat(1000)}`, "excess_digits"],
    ["thirteen digits before the point", "1000000000000", "too_large"],
    ["a thousand digits", "9".repeat(1000), "too_large"],
  ])("%s is refused", (_title, text, error) => {
    expect(parseDecimal(text, 6)).toEqual({ ok: false, error });
  });

  test("accepted text is plain ASCII and formats back to itself without trailing zeros", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 24 }),
        fc.nat({ max: 9 }),
        (text, scale) => {
          const result = parseDecimal(text, scale);
          if (!result.ok) return;
          expect(text).toMatch(/^[0-9.]+$/);
          const trimmed = text.includes(".") ? text.replace(/\.?0+$/, "") : text;
          expect(formatDecimal(result.value, scale)).toBe(trimmed);
        },
      ),
    );
  });
});

test.each<[string, bigint | null]>([
  ["12.5", 12_500_000n],
  ["-12.5", -12_500_000n],
  ["-0.000001", -1n],
  ["--1", null],
  ["- 1", null],
  ["-0.0000001", null],
])("parseSigned(%j) is %s", (text, value) => {
  const result = parseSigned(text, 6);
  expect(result.ok ? result.value : null).toBe(value);
  if (value === null) expect(() => toMinorUnits(text, 6)).toThrow(RangeError);
  else expect(toMinorUnits(text, 6)).toBe(value);
});

test("truncateDecimal accepts text of any length and truncates it", () => {
  expect(truncateDecimal("155973032196071.92", 0)).toBe(155_973_032_196_071n);
  expect(truncateDecimal("0.123456789", 8)).toBe(12_345_678n);
  expect(truncateDecimal("7.", 3)).toBe(7_000n);
});

describe("formatDecimal", () => {
  test.each<[bigint, number, string, string]>([
    [0n, 6, "0", "0.000000"],
    [1n, 6, "0.000001", "0.000001"],
    [100_000_000n, 6, "100", "100.000000"],
    [-100n, 6, "-0.0001", "-0.000100"],
    [-1_500_000n, 6, "-1.5", "-1.500000"],
    [42n, 0, "42", "42"],
  ])("%s at scale %i is %s, or %s at full scale", (value, scale, wire, full) => {
    expect([formatDecimal(value, scale), formatDecimal(value, scale, true)]).toEqual([wire, full]);
  });

  test("every amount of every coin survives a round trip", () => {
    const amount = fc.bigInt({ min: 0n, max: 999_999_999_999_999_999n });
    fc.assert(
      fc.property(fc.constantFrom(...coinCodes), amount, fc.boolean(), (coin, value, fixed) => {
        const text = formatDecimal(value, coinScale(coin), fixed);
        expect(parseDecimal(text, coinScale(coin))).toEqual({ ok: true, value });
      }),
    );
  });
});
