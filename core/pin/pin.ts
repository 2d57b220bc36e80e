/** A PIN is six ASCII digits. */
export const pinDigits = 6;

export function isPin(text: string): boolean {
  return /^[0-9]{6}$/.test(text);
}

/** Wrong tries in a row that cost no waiting. */
const freeTries = 3;

/**
 * Real seconds to wait after the fourth wrong try in a row, the fifth and so on; the last one
 * stays. Never for good.
 */
const waitsSeconds: readonly number[] = [30, 60, 300, 900, 3_600];

/** The longest wait there is, in real milliseconds. */
export const longestWaitMs = (waitsSeconds.at(-1) as number) * 1_000;

/**
 * Real milliseconds to wait after `failures` wrong tries in a row (docs/rules/wallet.md, "PIN").
 */
export function waitAfterMs(failures: number): number {
  if (failures <= freeTries) return 0;
  const at = Math.min(failures - freeTries, waitsSeconds.length) - 1;
  return (waitsSeconds[at] as number) * 1_000;
}

/**
 * A PIN may be set anew without the old one this long after signing in with the wallet, in real
 * milliseconds.
 */
export const freshSignInMs = 5 * 60_000;
