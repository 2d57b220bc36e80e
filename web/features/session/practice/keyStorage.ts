import { parseBackup, writeBackup } from "#web/features/session/practice/backup.ts";
import { getUsedWallet } from "#web/features/session/walletStorage.ts";
import { browserStorage } from "#web/lib/storage.ts";

let inMemory: Uint8Array | null = null;

/** Returns the seed stored in this browser; null when there is none. */
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
 * Stores the seed in this browser. Returns false when the browser refuses storage: the seed then
 * lasts only as long as the page.
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
  // If this mark cannot be stored, the backup is suggested again next time.
  browserStorage.write("practice.backed_up", "1");
}

export function isBackedUp(): boolean {
  return browserStorage.read("practice.backed_up") === "1";
}

/**
 * Returns the seed of the current practice wallet if this browser has its only copy; otherwise
 * null.
 */
export function getUnsavedSeed(): Uint8Array | null {
  return isBackedUp() || getUsedWallet()?.kind === "browser" ? null : readStoredSeed();
}
