/**
 * Canonical JSON (docs/formats/log.md): RFC 8785 without fractions, exponents and numbers above
 * 2^53 − 1.
 */

export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

const escapes: Record<string, string> = {
  '"': '\\"',
  "\\": "\\\\",
  "\b": "\\b",
  "\t": "\\t",
  "\n": "\\n",
  "\f": "\\f",
  "\r": "\\r",
};

/** The canonical text of a value; throws a RangeError for a value that has none. */
export function canonicalText(value: unknown): string {
  if (value === null || value === true || value === false) return String(value);
  if (typeof value === "number") {
    if (!Number.isSafeInteger(value) || Object.is(value, -0)) throw new RangeError("number");
    return String(value);
  }
  if (typeof value === "string") return quoted(value);
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(",")}]`;
  if (typeof value !== "object") throw new RangeError(typeof value);
  const names = Object.keys(value).sort((a, b) => (a < b ? -1 : 1));
  const members = names.map(
    (name) => `${quoted(name)}:${canonicalText((value as Record<string, unknown>)[name])}`,
  );
  return `{${members.join(",")}}`;
}

function quoted(text: string): string {
  if (!text.isWellFormed()) throw new RangeError("lone surrogate");
  let escaped = '"';
  for (const unit of text) {
    const code = unit.charCodeAt(0);
    if (escapes[unit]) escaped += escapes[unit];
    else if (code < 0x20) escaped += `\\u${code.toString(16).padStart(4, "0")}`;
    else escaped += unit;
  }
  return `${escaped}"`;
}

/** Returns true if no text in a value, names included, holds a lone surrogate. */
export function isWellFormed(value: unknown): boolean {
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === "string" && !next.isWellFormed()) return false;
    if (typeof next === "object" && next !== null)
      for (const [name, inner] of Object.entries(next)) open.push(name, inner);
  }
  return true;
}

export const canonicalBytes = (value: unknown): Buffer => Buffer.from(canonicalText(value), "utf8");

/** Parses bytes that must be the exact canonical form of their value; throws otherwise. */
export function parseCanonical(bytes: Uint8Array): Json {
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  const value = JSON.parse(text) as Json;
  if (canonicalText(value) !== text) throw new RangeError("not in canonical form");
  return value;
}
