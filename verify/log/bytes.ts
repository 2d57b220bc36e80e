import { createHash } from "node:crypto";

/**
 * Thrown when published data contradict each other or the rules. `difference` is a stable name;
 * `detail` says where.
 */
export class MismatchError extends Error {
  readonly step: string;
  readonly difference: string;
  readonly detail: string;

  constructor(step: string, difference: string, detail = "") {
    super(detail ? `${difference}: ${detail}` : difference);
    this.name = "MismatchError";
    this.step = step;
    this.difference = difference;
    this.detail = detail;
  }
}

export function sha256(...parts: Uint8Array[]): Buffer {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
}

export const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

export function fromHex(text: string): Buffer {
  if (!/^([0-9a-f]{2})*$/.test(text)) throw new RangeError("not lower-case hex");
  return Buffer.from(text, "hex");
}

export const equalBytes = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

/** Division of non-negative integers, rounded down. */
export const divideDown = (numerator: bigint, denominator: bigint): bigint =>
  numerator / denominator;

/** Division of non-negative integers, rounded up. */
export const divideUp = (numerator: bigint, denominator: bigint): bigint =>
  numerator % denominator === 0n ? numerator / denominator : numerator / denominator + 1n;

/** Division of non-negative integers, rounded half to even. */
export function divideHalfEven(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  const rest = 2n * (numerator - quotient * denominator);
  if (rest === denominator) return quotient + (quotient & 1n);
  return rest > denominator ? quotient + 1n : quotient;
}
