import type { SeededChoice } from "#core/identity/seededChoice.ts";

/**
 * Contact numbers that no one can have, each from a range the country's numbering authority
 * reserves for fiction. Countries with no such range known to us (China, Italy, Japan and Taiwan
 * among those of our languages) issue none.
 */
export const contactCountries = ["AU", "DE", "FR", "GB", "SE", "US"] as const;
export type ContactCountry = (typeof contactCountries)[number];

/** The authority that reserves the range. */
export const contactAuthority: Readonly<Record<ContactCountry, string>> = {
  AU: "ACMA",
  DE: "Bundesnetzagentur",
  FR: "Arcep",
  GB: "Ofcom",
  SE: "PTS",
  US: "NANPA",
};

const callingCodes: Readonly<Record<ContactCountry, string>> = {
  AU: "61",
  DE: "49",
  FR: "33",
  GB: "44",
  SE: "46",
  US: "1",
};

export interface Contact {
  country: ContactCountry;
  /** E.164: `+447700900123`. */
  e164: string;
  /** As written in that country: `07700 900123`. */
  national: string;
}

const twoDigits = (value: number) => String(value).padStart(2, "0");
const threeDigits = (value: number) => String(value).padStart(3, "0");

/** National formats, as written in that country. */
const formatNational: Readonly<Record<ContactCountry, (draw: SeededChoice) => string>> = {
  // 0491 570 006, 0491 570 110, 0491 570 156 to 159.
  AU: (draw) => `0491 570 ${draw.pick(["006", "110", "156", "157", "158", "159"])}`,
  // Berlin, (0)30 23125 000 to 999.
  DE: (draw) => `030 23125 ${threeDigits(draw.below(1_000))}`,
  // 06 39 98 00 00 to 99 99.
  FR: (draw) => `06 39 98 ${twoDigits(draw.below(100))} ${twoDigits(draw.below(100))}`,
  // Mobile, 07700 900000 to 900999.
  GB: (draw) => `07700 900${threeDigits(draw.below(1_000))}`,
  // Mobile, 070-174 06 05 to 06 99.
  SE: (draw) => `070-174 06 ${twoDigits(5 + draw.below(95))}`,
  // 555-0100 to 0199 in any area code.
  US: (draw) => `(${draw.pick(["202", "312", "415", "617"])}) 555-01${twoDigits(draw.below(100))}`,
};

export function drawContact(country: ContactCountry, draw: SeededChoice): Contact {
  const national = formatNational[country](draw);
  const digits = national.replace(/[^0-9]/g, "");
  // The leading 0 is the domestic trunk prefix; North America has none.
  const significant = country === "US" ? digits : digits.slice(1);
  return { country, national, e164: `+${callingCodes[country]}${significant}` };
}

/**
 * Returns true if `text` is a mainland China number: 11 digits starting with 1, with or without
 * +86.
 */
export function isMainlandMobile(text: string): boolean {
  return /^1[0-9]{10}$/.test(text.replace(/[\s().-]/g, "").replace(/^(\+|00)86/, ""));
}
