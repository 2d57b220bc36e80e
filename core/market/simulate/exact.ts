/**
 * Functions that engines may compute differently (ECMAScript leaves the last bits of Math.exp and
 * Math.sqrt open), built from IEEE 754 additions, multiplications and divisions only, in a fixed
 * order.
 */

// biome-ignore lint/suspicious/noApproximativeNumericConstant: written out to be engine-independent
export const ln2 = 0.6931471805599453;

/** e to the power of `x`, for |x| up to 100, with a relative error of about 2⁻⁵⁰. */
export function exp(x: number): number {
  const n = Math.floor(x / ln2 + 0.5);
  const r = x - n * ln2;
  let sum = 1;
  for (let i = 14; i >= 1; i -= 1) sum = 1 + (sum * r) / i;
  let scale = 1;
  for (let i = 0; i < n; i += 1) scale *= 2;
  for (let i = 0; i > n; i -= 1) scale /= 2;
  return sum * scale;
}

/**
 * Square root of `x` ≥ 0 by Newton's iteration from above, stopping when it no longer falls. For
 * constants, not for loops.
 */
export function squareRoot(x: number): number {
  if (x === 0) return 0;
  let guess = x > 1 ? x : 1;
  for (;;) {
    const next = (guess + x / guess) / 2;
    if (next >= guess) return guess;
    guess = next;
  }
}
