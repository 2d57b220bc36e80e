/**
 * The resident ID helper (docs/rules/identity.md, "Resident ID"): what 15 or 18 characters encode.
 * The 18-character form and its check digit follow GB 11643-1999 (ISO 7064, MOD 11-2); the
 * 15-character form is its predecessor.
 */

/** A calendar day; month and day count from 1. */
export interface Day {
  year: number;
  month: number;
  day: number;
}

/** Male 0, female 1. */
export type SexCode = 0 | 1;

export type ResidentIdResult =
  | { ok: true; birthday: Day; sex: SexCode }
  /**
   * `length`: neither 15 nor 18. `form`: not digits. `date`: no such day. `check_digit`: the last
   * character is wrong.
   */
  | { ok: false; error: "length" | "form" | "date" }
  | { ok: false; error: "check_digit"; birthday: Day; sex: SexCode };

const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
const checkCharacters = "10X98765432";

/** Computes the 18th character of a resident ID from its first 17 digits. */
export function residentCheckDigit(first17: string): string {
  const sum = weights.reduce((total, weight, index) => total + weight * Number(first17[index]), 0);
  return checkCharacters[sum % 11] as string;
}

/** Reads a resident ID without spaces; a lower-case x is read as X. */
export function parseResidentId(text: string): ResidentIdResult {
  const number = text.toUpperCase();
  if (number.length !== 15 && number.length !== 18) return { ok: false, error: "length" };
  const isLong = number.length === 18;
  if (!(isLong ? /^[0-9]{17}[0-9X]$/ : /^[0-9]{15}$/).test(number)) {
    return { ok: false, error: "form" };
  }
  const digits = isLong ? number.slice(6, 14) : `19${number.slice(6, 12)}`;
  const birthday = parseDay(`${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6, 8)}`);
  if (!birthday) return { ok: false, error: "date" };
  // The 17th digit of 18, or the last of 15: odd is male.
  const sex: SexCode = Number(number[isLong ? 16 : 14]) % 2 === 1 ? 0 : 1;
  if (isLong && residentCheckDigit(number.slice(0, 17)) !== number[17]) {
    return { ok: false, error: "check_digit", birthday, sex };
  }
  return { ok: true, birthday, sex };
}

/** Reads "2001-02-28"; null if the calendar has no such day. */
export function parseDay(text: string): Day | null {
  const [, y = "", m = "", d = ""] = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/.exec(text) ?? [];
  const [year, month, day] = [Number(y), Number(m), Number(d)];
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return null;
  return { year, month, day };
}

export function formatDay({ year, month, day }: Day): string {
  return `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/**
 * Age in full years on `today`: one less than the difference of the years until this year's
 * birthday; never below 0. A person born on 29 February has the birthday on 1 March in other years.
 */
export function computeAge(birthday: Day, today: Day): number {
  const isBefore =
    today.month < birthday.month || (today.month === birthday.month && today.day < birthday.day);
  return Math.max(0, today.year - birthday.year - (isBefore ? 1 : 0));
}
