import {
  type Day,
  parseResidentId,
  residentCheckDigit,
  type SexCode,
} from "#core/identity/residentId.ts";
import type { SeededChoice } from "#core/identity/seededChoice.ts";

/**
 * Documents and the states that issue them. No such state exists, and no number has the form of a
 * real number of its kind.
 */

export const documentTypes = ["passport", "driving_licence", "resident_id"] as const;
export type DocumentType = (typeof documentTypes)[number];

export const issuingStates = ["velmark", "marivale", "qinglan"] as const;
export type IssuingState = (typeof issuingStates)[number];

interface StateFacts {
  /** As printed, in the state's own script. */
  title: string;
  /** From the ISO 3166 user-assigned codes; no state has it. */
  code: string;
  /** First six digits of a resident ID; no province has code 99. */
  region: string;
  script: "latin" | "han";
}

export const stateFacts: Readonly<Record<IssuingState, StateFacts>> = {
  velmark: { title: "Free State of Velmark", code: "XVK", region: "990101", script: "latin" },
  marivale: { title: "Republic of Marivale", code: "XMV", region: "990202", script: "latin" },
  qinglan: { title: "青岚国 Qinglan", code: "XQL", region: "990303", script: "han" },
};

/** Normalises a document number for comparison: no spaces or hyphens, in capitals. */
export function normalizeNumber(text: string): string {
  return text.normalize("NFKC").replace(/[\s-]/g, "").toUpperCase();
}

/** Weights 7, 3, 1 over letters (A is 10) and digits, modulo 10, as in travel documents. */
function passportCheck(body: string): string {
  const sum = body.split("").reduce((total, character, index) => {
    return total + Number.parseInt(character, 36) * ([7, 3, 1][index % 3] as number);
  }, 0);
  return String(sum % 10);
}

/** Luhn over the digits. */
function licenceCheck(digits: string): string {
  const sum = digits
    .split("")
    .reverse()
    .reduce((total, character, index) => {
      const value = Number(character) * (index % 2 === 0 ? 2 : 1);
      return total + (value > 9 ? value - 9 : value);
    }, 0);
  return String((10 - (sum % 10)) % 10);
}

/**
 * Returns true if a document number's check digit is valid; false for anything that is not such a
 * number.
 */
export function checkDigitHolds(type: DocumentType, text: string): boolean {
  const number = normalizeNumber(text);
  if (type === "resident_id") return parseResidentId(number).ok;
  if (type === "passport") {
    return (
      /^[A-Z]{3}[0-9]{8}$/.test(number) && passportCheck(number.slice(0, -1)) === number.at(-1)
    );
  }
  const digits = number.slice(3);
  return /^[A-Z]{3}[0-9]{9}$/.test(number) && licenceCheck(digits.slice(0, -1)) === digits.at(-1);
}

const drawDigits = (draw: SeededChoice, count: number) =>
  Array.from({ length: count }, () => draw.below(10)).join("");

/**
 * Draws a number with a valid check digit. Passport: 11 characters, where real ones have at most 9.
 */
export function drawNumber(
  {
    type,
    state,
    birthday,
    sex,
  }: { type: DocumentType; state: IssuingState; birthday: Day; sex: SexCode },
  draw: SeededChoice,
): string {
  const { code, region } = stateFacts[state];
  if (type === "passport") {
    const body = code + drawDigits(draw, 7);
    return body + passportCheck(body);
  }
  if (type === "driving_licence") {
    const body = drawDigits(draw, 8);
    return `${code}-${body}${licenceCheck(body)}`;
  }
  const { year, month, day } = birthday;
  const birthDate = `${year}${String(month).padStart(2, "0")}${String(day).padStart(2, "0")}`;
  // Odd for a man, even for a woman.
  const last = 2 * draw.below(5) + (sex === 0 ? 1 : 0);
  const body = `${region}${birthDate}${drawDigits(draw, 2)}${last}`;
  return body + residentCheckDigit(body);
}

/** The same number with an invalid check character; the data it encodes stay the same. */
export function withWrongCheckDigit(number: string): string {
  const last = number.at(-1) as string;
  return number.slice(0, -1) + (last === "X" ? "0" : String((Number(last) + 1) % 10));
}
