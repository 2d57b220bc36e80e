import { describe, expect, test } from "vitest";
import {
  computeAge,
  parseDay,
  parseResidentId,
  residentCheckDigit,
} from "#core/identity/residentId.ts";

describe("parseResidentId", () => {
  const birth = { year: 1949, month: 12, day: 31 };
  // The example number in GB 11643-1999 itself.
  test.each([
    [
      "an 18-character number with birthday at 7 to 14 and an even 17th digit (female)",
      "11010519491231002X",
      1,
    ],
    ["a lower-case x", "11010519491231002x", 1],
    [
      "an odd 17th digit (male)",
      `1101051949123100${1}${residentCheckDigit("11010519491231001")}`,
      0,
    ],
    [
      "a 15-character number with year at 7 to 8 and an even last digit (female)",
      "110105491231002",
      1,
    ],
    ["a 15-character number with an odd last digit (male)", "110105491231003", 0],
  ] as const)("%s is parsed", (_title, number, sex) => {
    expect(parseResidentId(number)).toEqual({ ok: true, birthday: birth, sex });
  });

  test.each([
    ["nothing", "", "length"],
    ["14 characters", "1".repeat(14), "length"],
    ["16 characters", "1".repeat(16), "length"],
    ["17 characters", "1".repeat(17), "length"],
    ["19 characters", "1".repeat(19), "length"],
    ["a letter in a 15-character number", "11010549123100X", "form"],
    ["an X before the last of 18 characters", "1101051949123X0021", "form"],
    ["the 30th of February", "110105194902300021", "date"],
    ["the 13th month", "110105491331002", "date"],
    ["the 29th of February of a common year", "110105190002290021", "date"],
  ] as const)("%s is refused", (_title, number, reason) => {
    expect(parseResidentId(number)).toEqual({ ok: false, error: reason });
  });

  test("a wrong check digit is refused with the birthday and sex that were read", () => {
    for (const last of "0123456789") {
      expect(parseResidentId(`11010519491231002${last}`)).toEqual({
        ok: false,
        error: "check_digit",
        birthday: birth,
        sex: 1,
      });
    }
  });
});

test.each([
  ["a birthday that has passed this year", "2000-01-31", "2026-06-15", 26],
  ["a birthday that has not yet come this year", "2000-12-31", "2026-01-01", 25],
  ["no birthday on its eve", "2000-06-16", "2026-06-15", 25],
  ["a birthday on its day", "2000-06-15", "2026-06-15", 26],
  ["no birthday of 29 February on the 28th", "2000-02-29", "2026-02-28", 25],
  ["a birthday of 29 February on 1 March", "2000-02-29", "2026-03-01", 26],
  ["a birth this year", "2026-05-01", "2026-01-01", 0],
  ["a birth after this year as zero", "2030-05-01", "2026-01-01", 0],
])("age in full years counts %s", (_title, birth, today, age) => {
  expect(computeAge(parseDay(birth)!, parseDay(today)!)).toBe(age);
});

test.each([
  ["2024-02-29", true],
  ["2023-02-29", false],
  ["2000-02-29", true],
  ["1900-02-29", false],
  ["2024-04-31", false],
  ["2024-00-10", false],
  ["2024-1-1", false],
  ["20240101", false],
])("%s is a valid date: %s", (text, isDay) => {
  expect(parseDay(text) !== null).toBe(isDay);
});
