import { parseBackup, writeBackup } from "#web/features/session/practice/backup.ts";
import { getUsedWallet } from "#web/features/session/walletStorage.ts";
import { browserStorage } from "#web/lib/storage.ts";

let inMemory: Uint8Array | null = null;

/** The seed stored in this browser; null when there is none. */
export function readStoredSeed(): Uint8Array | null {
  if (inMemory) return inMemory;
  const result = parseBackup(browserStorage.read("practice") ?? "");
  return result.ok ? result.seed : null;
}

/** Returns true if the stored practice wallet cannot be read: damaged, or from a later version. */
export function isStoredSeedUnreadable(): boolean {
  return readStoredSeed() === null && (browserStorage.read("practice") ?? "") !== "";
}

/**
 * Stores the seed in this browser. False when the browser refuses storage: it then lasts only as
 * long as the page.
 */
export function storeSeed(seed: Uint8Array): boolean {
  inMemory = seed;
  return browserStorage.write("practice", writeBackup(seed));
}

/** Returns true if the browser has stored the seed, rather than refused to. */
export function isSeedStored(): boolean {
  return parseBackup(browserStorage.read("practice") ?? "").ok;
}

export function markBackedUp(): void {
  // If it is not stored, the backup is suggested again next time.
  browserStorage.write("practice.backed_up", "1");
}

export function isBackedUp(): boolean {
  return browserStorage.read("practice.backed_up") === "1";
}

/** The seed of the practice wallet in use if this browser has the only copy of it; else null. */
export function getUnsavedSeed(): Uint8Array | null {
  return isBackedUp() || getUsedWallet()?.kind === "browser" ? null : readStoredSeed();
}
