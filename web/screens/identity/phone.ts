import parsePhoneNumber, { type CountryCode } from "libphonenumber-js/min";
import { isMainlandMobile } from "#core/identity/contact.ts";

/**
 * Whether a text can be a phone number of a country, as the server checks it. Loaded when the field
 * is left.
 */
export function isPhoneOf(text: string, country: string): boolean {
  const parsed = parsePhoneNumber(text, country as CountryCode);
  if (!parsed?.isPossible()) return false;
  return parsed.countryCallingCode !== "86" || isMainlandMobile(parsed.number);
}
