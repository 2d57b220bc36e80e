import type { Draw } from "#core/identity/draw.ts";

/**
 * Contact numbers that belong to nobody: each from a range that a country's numbering authority
 * keeps free for fiction. Countries without such a range known to us (China, Italy, Japan, Taiwan
 * among those of our languages) issue none.
 */
export const contactCountries = ["AU", "DE", "FR", "GB", "SE", "US"] as const;
export type ContactCountry = (typeof contactCountries)[number];

/** Who keeps the range free. */
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
  /** As people write it there: `07700 900123`. */
  national: string;
}

const two = (value: number) => String(value).padStart(2, "0");
const three = (value: number) => String(value).padStart(3, "0");

/** National forms, as they are written in that country. */
const nationalOf: Readonly<Record<ContactCountry, (draw: Draw) => string>> = {
  // 0491 570 006, 0491 570 110, 0491 570 156 to 159.
  AU: (draw) => `0491 570 ${draw.pick(["006", "110", "156", "157", "158", "159"])}`,
  // Berlin, (0)30 23125 000 to 999.
  DE: (draw) => `030 23125 ${three(draw.below(1_000))}`,
  // 06 39 98 00 00 to 99 99.
  FR: (draw) => `06 39 98 ${two(draw.below(100))} ${two(draw.below(100))}`,
  // Mobile, 07700 900000 to 900999.
  GB: (draw) => `07700 900${three(draw.below(1_000))}`,
  // Mobile, 070-174 06 05 to 06 99.
  SE: (draw) => `070-174 06 ${two(5 + draw.below(95))}`,
  // 555-0100 to 0199 in any area code.
  US: (draw) => `(${draw.pick(["202", "312", "415", "617"])}) 555-01${two(draw.below(100))}`,
};

export function drawContact(country: ContactCountry, draw: Draw): Contact {
  const national = nationalOf[country](draw);
  const digits = national.replace(/[^0-9]/g, "");
  // The leading nought is for calls within the country; North America has none.
  const significant = country === "US" ? digits : digits.slice(1);
  return { country, national, e164: `+${callingCodes[country]}${significant}` };
}

/** A mainland China number is 11 digits that begin with 1, with or without +86. */
export function isMainlandMobile(text: string): boolean {
  return /^1[0-9]{10}$/.test(text.replace(/[\s().-]/g, "").replace(/^(\+|00)86/, ""));
}
