import { ln2 } from "#core/market/simulate/exact.ts";

/**
 * Natural logarithm of `x` in (0, 1], from IEEE 754 additions, multiplications and divisions in a
 * fixed order, because engines may differ in Math.log. Accurate to about 2⁻⁵⁰.
 */
export function logarithm(x: number): number {
  if (!(x > 0 && x <= 1)) throw new RangeError("x must be in (0, 1]");
  let mantissa = x;
  let halvings = 0;
  while (mantissa < 0.5) {
    mantissa *= 2;
    halvings += 1;
  }
  const y = (mantissa - 1) / (mantissa + 1);
  const square = y * y;
  let sum = 0;
  for (let n = 33; n >= 1; n -= 2) sum = sum * square + 1 / n;
  return 2 * y * sum - halvings * ln2;
}
