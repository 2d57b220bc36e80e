import { bytesToUtf8, utf8ToBytes } from "#core/transparency-log/bytes.ts";

/**
 * Values canonical JSON can hold: no fractions and no exponents, so that every language writes the
 * same bytes.
 */
export type Canonical =
  | string
  | number
  | boolean
  | null
  | readonly Canonical[]
  | { readonly [key: string]: Canonical };

const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** Returns true if every text in a value of JSON, names included, has a UTF-8 form. */
export function isWellFormed(value: unknown): boolean {
  const pendingValues = [value];
  while (pendingValues.length > 0) {
    const item = pendingValues.pop();
    if (typeof item === "string" && loneSurrogate.test(item)) return false;
    if (typeof item !== "object" || item === null) continue;
    for (const [name, inner] of Object.entries(item)) pendingValues.push(name, inner);
  }
  return true;
}

/**
 * Writes the canonical form of a value for hashing: RFC 8785 restricted to integers up to 2^53 − 1,
 * strings, booleans, null, arrays and objects. Keys are sorted by UTF-16 code unit, no white space.
 * Throws a RangeError for a number that is not a safe integer and for a lone surrogate. Source:
 * docs/formats/log.md, "Canonical JSON".
 */
export function canonicalText(value: Canonical): string {
  if (typeof value === "number") {
    if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is not a safe integer`);
    return String(value === 0 ? 0 : value);
  }
  if (typeof value === "string") {
    if (loneSurrogate.test(value)) {
      throw new RangeError("a lone surrogate has no UTF-8 form");
    }
    return JSON.stringify(value);
  }
  if (value === null || typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(",")}]`;
  const object = value as { readonly [key: string]: Canonical };
  const members = Object.keys(object)
    .sort((a, b) => (a < b ? -1 : 1))
    .map((key) => `${canonicalText(key)}:${canonicalText(object[key]!)}`);
  return `{${members.join(",")}}`;
}

/** `canonicalText` in UTF-8: the bytes to hash. */
export function canonicalBytes(value: Canonical): Uint8Array {
  return utf8ToBytes(canonicalText(value));
}

/** Parses canonical bytes; null unless writing the value again gives exactly these bytes. */
export function parseCanonical(bytes: Uint8Array): Canonical | null {
  const text = bytesToUtf8(bytes);
  if (text === null) return null;
  try {
    const value = JSON.parse(text) as Canonical;
    return canonicalText(value) === text ? value : null;
  } catch {
    return null;
  }
}

/** The labels every hashed structure carries (docs/rules/units.md). */
export interface PracticeLabels {
  practice: true;
  backing: "none";
  world: string;
}

/**
 * Returns true if a parsed structure declares that it is practice, backed by nothing, and names its
 * world.
 */
export function hasPracticeLabels(
  value: unknown,
): value is PracticeLabels & Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const labels = value as Record<string, unknown>;
  return (
    labels.practice === true &&
    labels.backing === "none" &&
    typeof labels.world === "string" &&
    labels.world !== ""
  );
}
