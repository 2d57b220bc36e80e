import parsePhoneNumber, { type CountryCode } from "libphonenumber-js/min";
import { isMainlandMobile } from "#core/identity/contact.ts";

/**
 * Returns true if a text can be a phone number of a country, by the server's rule. Loaded on blur.
 */
export function isPhoneNumber(text: string, country: string): boolean {
  const parsed = parsePhoneNumber(text, country as CountryCode);
  if (!parsed?.isPossible()) return false;
  return parsed.countryCallingCode !== "86" || isMainlandMobile(parsed.number);
}
