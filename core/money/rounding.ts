/**
 * The three roundings (docs/rules/units.md): half to even for the index, down for the user's
 * credit, up for the user's charge. All take a non-negative numerator and a positive denominator
 * and return an integer.
 */

/** Rounds down: for amounts that a user receives. */
export function divideDown(numerator: bigint, denominator: bigint): bigint {
  check(numerator, denominator);
  return numerator / denominator;
}

/** Rounds up: for amounts that a user is charged. */
export function divideUp(numerator: bigint, denominator: bigint): bigint {
  check(numerator, denominator);
  return (numerator + denominator - 1n) / denominator;
}

/** Rounds half to even: for index values. */
export function divideHalfEven(numerator: bigint, denominator: bigint): bigint {
  check(numerator, denominator);
  const quotient = numerator / denominator;
  const twice = (numerator % denominator) * 2n;
  if (twice < denominator) return quotient;
  if (twice > denominator) return quotient + 1n;
  return quotient % 2n === 0n ? quotient : quotient + 1n;
}

function check(numerator: bigint, denominator: bigint): void {
  if (numerator < 0n || denominator <= 0n) {
    throw new RangeError("rounding needs a non-negative numerator and a positive denominator");
  }
}
