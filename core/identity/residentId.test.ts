import { describe, expect, test } from "vitest";
import {
  ageInYear,
  dayOf,
  parseResidentId,
  residentCheckDigit,
} from "#core/identity/residentId.ts";

describe("the resident ID helper", () => {
  const born = { year: 1949, month: 12, day: 31 };
  // The example number in GB 11643-1999 itself.
  test.each([
    [
      "18 characters: the day from positions 7 to 14, an even 17th is female",
      "11010519491231002X",
      1,
    ],
    ["a small x is read as X", "11010519491231002x", 1],
    ["an odd 17th is male", `1101051949123100${1}${residentCheckDigit("11010519491231001")}`, 0],
    ["15 characters: 19 and positions 7 to 12, the last tells the sex", "110105491231002", 1],
    ["15 characters with an odd last", "110105491231003", 0],
  ] as const)("reads %s", (_title, number, sex) => {
    expect(parseResidentId(number)).toEqual({ ok: true, birthday: born, sex });
  });

  test.each([
    ["nothing", "", "length"],
    ["14 characters", "1".repeat(14), "length"],
    ["16 characters", "1".repeat(16), "length"],
    ["17 characters", "1".repeat(17), "length"],
    ["19 characters", "1".repeat(19), "length"],
    ["a letter among 15", "11010549123100X", "form"],
    ["an X that is not the last of 18", "1101051949123X0021", "form"],
    ["the 30th of February", "110105194902300021", "date"],
    ["the 13th month", "110105491331002", "date"],
    ["the 29th of February of a year that has none", "110105190002290021", "date"],
  ] as const)("refuses %s", (_title, number, reason) => {
    expect(parseResidentId(number)).toEqual({ ok: false, reason });
  });

  test("a check digit that does not hold is named, with what the number says", () => {
    for (const last of "0123456789") {
      expect(parseResidentId(`11010519491231002${last}`)).toEqual({
        ok: false,
        reason: "check_digit",
        birthday: born,
        sex: 1,
      });
    }
  });
});

test.each([
  ["a birthday of this year that has come", "2000-01-31", "2026-06-15", 26],
  ["a birthday that has not yet come this year", "2000-12-31", "2026-01-01", 26],
  ["a birth in this year", "2026-05-01", "2026-01-01", 0],
  ["a birth after today's year is not an age below zero", "2030-05-01", "2026-01-01", 0],
])("age counts %s", (_title, birth, today, age) => {
  expect(ageInYear(dayOf(birth)!, dayOf(today)!)).toBe(age);
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
])("%s is a day: %s", (text, isDay) => {
  expect(dayOf(text) !== null).toBe(isDay);
});
