/** Type tests for JSON values in receipts and external structures. */

export type Test = (value: unknown) => boolean;

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A non-negative integer that a float holds exactly. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** A non-empty text of a length suitable for names and keys. */
export function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= 200;
}

/** 32 bytes in lower-case hex. */
export function isHash(value: unknown): value is string {
  return typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
}

/** A non-negative integer as a decimal string of at most `digits` digits. */
export function isInteger(digits: number) {
  const pattern = new RegExp(`^(0|[1-9][0-9]{0,${digits - 1}})$`);
  return (value: unknown): value is string => typeof value === "string" && pattern.test(value);
}

/** Like `isInteger`, also negative; `-0` is not accepted. */
export function isSigned(digits: number) {
  const pattern = new RegExp(`^(0|-?[1-9][0-9]{0,${digits - 1}})$`);
  return (value: unknown): value is string => typeof value === "string" && pattern.test(value);
}

/** An object of exactly these members, each of the right form. */
export function exactly(members: { readonly [name: string]: Test }): Test {
  const names = Object.keys(members);
  return (value) =>
    isObject(value) &&
    Object.keys(value).length === names.length &&
    names.every((name) => Object.hasOwn(value, name) && members[name]!(value[name]));
}

/** Returns true if an object has no members but `names`, separated by spaces. */
export function hasOnly(value: object, names: string): boolean {
  const allowed = names.split(" ");
  return Object.keys(value).every((name) => allowed.includes(name));
}

/** The log that a receipt names. */
export const isLog = exactly({ origin: isText, vkey: isText });

export function orNull(test: Test): Test {
  return (value) => value === null || test(value);
}
