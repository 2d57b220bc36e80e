/** A PIN is six ASCII digits. */
export const pinDigits = 6;

export function isPin(text: string): boolean {
  return /^[0-9]{6}$/.test(text);
}

/** Consecutive wrong attempts that cause no wait. */
const freeAttempts = 3;

/**
 * Real seconds to wait after the fourth, fifth … consecutive wrong attempt; the last value repeats.
 * A PIN is never locked for good.
 */
const waitSeconds: readonly number[] = [30, 60, 300, 900, 3_600];

/** The longest wait, in real milliseconds. */
export const waitMsMax = (waitSeconds.at(-1) as number) * 1_000;

/**
 * Real milliseconds to wait after `failures` consecutive wrong attempts (docs/rules/wallet.md,
 * "PIN").
 */
export function computeWaitMs(failures: number): number {
  if (failures <= freeAttempts) return 0;
  const index = Math.min(failures - freeAttempts, waitSeconds.length) - 1;
  return (waitSeconds[index] as number) * 1_000;
}

/**
 * How long after signing in with the wallet a PIN may be reset without the old one, in real
 * milliseconds.
 */
export const freshSignInMs = 5 * 60_000;

/**
 * How often a person may set or remove a PIN: the burst size, refilled at the same number per hour.
 * Every change costs the server a hash, and a first one needs no proof.
 */
export const changesPerHour = 5;
