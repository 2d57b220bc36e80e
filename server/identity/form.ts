import parsePhoneNumber, { type CountryCode, isSupportedCountry } from "libphonenumber-js/min";
import { isMainlandMobile } from "#core/identity/contact.ts";
import { type DocumentType, documentTypes, normalizeNumber } from "#core/identity/documents.ts";
import { parseDay, parseResidentId } from "#core/identity/residentId.ts";
import type { FormField, IdentityForm } from "#core/identity/review.ts";
import { ApiError } from "#server/platform/apiError.ts";
import { UploadedFile } from "#server/platform/http/upload.ts";
import { detectFormat } from "#server/platform/images/format.ts";

/** A verification as submitted, with texts as typed. */
export interface VerifyParams {
  name: string;
  document_type: string;
  number: string;
  sex: string;
  birthday: string;
  contact_country: string;
  contact_number: string;
  image?: unknown;
}

/** Form fields stored encrypted, as typed, for the person to see until the purge. */
export interface StoredFields {
  name: string;
  number: string;
  sex: 0 | 1;
  birthday: string;
  contact: string;
}

/** Parses form and picture; throws the ApiError that names what is missing or wrong. */
export function parseParams(params: VerifyParams): { form: IdentityForm; picture: Buffer } {
  const { image } = params;
  const picture = image instanceof UploadedFile && image.bytes.length > 0 ? image.bytes : null;
  const missingNames = missingFields(params, picture !== null);
  if (!picture || missingNames.length > 0) {
    throw new ApiError("identity.information_missing", {
      count: missingNames.length,
      fields: missingNames.join(", "),
    });
  }
  const documentType = documentTypes.find((type) => type === params.document_type);
  if (!documentType) throw new ApiError("request.malformed", { field: "document_type" });
  if (params.sex !== "0" && params.sex !== "1")
    throw new ApiError("request.malformed", { field: "sex" });
  if (!parseDay(params.birthday)) throw new ApiError("identity.birthday_wrong");
  requireNumber(documentType, params.number);
  const contact = readContact(params.contact_number, params.contact_country);
  // Rejects anything but pictures early, without sending it to the image decoder.
  if (detectFormat(picture) === null) throw new ApiError("identity.picture_type");
  const form: IdentityForm = {
    name: params.name,
    documentType,
    number: params.number,
    sex: params.sex === "0" ? 0 : 1,
    birthday: params.birthday,
    contact,
  };
  return { form, picture };
}

function missingFields(params: VerifyParams, hasPicture: boolean): (FormField | "image")[] {
  const fields: FormField[] = [
    "name",
    "document_type",
    "number",
    "sex",
    "birthday",
    "contact_number",
  ];
  const missingNames: (FormField | "image")[] = fields.filter(
    (field) => params[field].trim() === "",
  );
  return hasPicture ? missingNames : [...missingNames, "image"];
}

/** A wrong check digit is left to the review, once the number is known to be a specimen's. */
function requireNumber(type: DocumentType, number: string): void {
  if (type !== "resident_id") return;
  const result = parseResidentId(normalizeNumber(number));
  if (!result.ok && result.error !== "check_digit") throw new ApiError("identity.number_wrong");
}

/**
 * Parses a contact number into E.164. Checks length and country, not whether the number is in
 * service: numbers reserved for fiction never are. A mainland China number has 11 digits and begins
 * with 1.
 */
function readContact(text: string, country: string): string {
  const home = country.toUpperCase();
  if (home !== "" && !isSupportedCountry(home)) throw new ApiError("identity.contact_wrong");
  const phoneNumber = parsePhoneNumber(text, home === "" ? undefined : (home as CountryCode));
  if (!phoneNumber?.isPossible()) throw new ApiError("identity.contact_wrong");
  if (phoneNumber.countryCallingCode === "86" && !isMainlandMobile(phoneNumber.number)) {
    throw new ApiError("identity.contact_wrong");
  }
  return phoneNumber.number;
}
