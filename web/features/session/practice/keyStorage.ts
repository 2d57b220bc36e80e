import { readBackup, writeBackup } from "#web/features/session/practice/backup.ts";
import { readStored } from "#web/lib/settings.ts";

const key = "drydock.practice";
const backedUpKey = "drydock.practice.backed_up";
let inMemory: Uint8Array | null = null;

/** The seed kept in this browser; null when there is none. */
export function keptSeed(): Uint8Array | null {
  if (inMemory) return inMemory;
  const read = readBackup(readStored(key) ?? "");
  return read.ok ? read.seed : null;
}

/** Whether this browser keeps something as a practice wallet that cannot be read: damaged, or of a later version. */
export function keptUnreadable(): boolean {
  return keptSeed() === null && (readStored(key) ?? "") !== "";
}

/** Keeps the seed in this browser. False when the browser refuses storage: then it lasts as long as the page. */
export function keepSeed(seed: Uint8Array): boolean {
  inMemory = seed;
  try {
    const text = writeBackup(seed);
    localStorage.setItem(key, text);
    return localStorage.getItem(key) === text;
  } catch {
    return false;
  }
}

export function markBackedUp(): void {
  try {
    localStorage.setItem(backedUpKey, "1");
  } catch {
    // Then it is asked again next time.
  }
}

export function isBackedUp(): boolean {
  return readStored(backedUpKey) === "1";
}
