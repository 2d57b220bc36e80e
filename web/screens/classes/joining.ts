import type { AnswerOf } from "#api/call.ts";
import {
  findClassCode,
  getClassTasks,
  joinClass,
  openClassBackup,
  storeClassBackup,
} from "#api/routes/classes.ts";
import { decryptSeed, deriveBackupKeys, encryptSeed } from "#core/classes/walletBackup.ts";
import { bytesToHex, hexToBytes } from "#core/transparency-log/bytes.ts";
import { clearInvite, setInvite } from "#web/features/session/invite.ts";
import {
  markBackedUp,
  readStoredSeed,
  storeSeed,
} from "#web/features/session/practice/keyStorage.ts";
import { createWalletSeed } from "#web/features/session/practice/seed.ts";
import {
  createPracticeSigner,
  prepareMessage,
  signAndEnter,
} from "#web/features/session/signInFlow.ts";
import { client, queryClient } from "#web/lib/api/client.ts";
import { invalidate } from "#web/lib/api/useApiQuery.ts";
import { browserStorage } from "#web/lib/storage.ts";

/** A code of an open class. */
export interface ClassCodeResult extends AnswerOf<typeof findClassCode> {
  /** Twelve letters. */
  code: string;
}

/** The class of this account, while it is open. */
export type OwnClass = NonNullable<AnswerOf<typeof getClassTasks>["class"]>;

/** The stored backup cannot be opened with a key that the server took for the right one. */
export class DamagedBackupError extends Error {
  constructor() {
    super("the stored backup cannot be opened");
    this.name = "DamagedBackupError";
  }
}

async function signInWith(seed: Uint8Array): Promise<void> {
  await signAndEnter(await prepareMessage(await createPracticeSigner(seed)), () => true);
}

function storeCode(code: string): void {
  browserStorage.write("class", code);
}

/**
 * Marks this browser as part of a class, so that it reports the class's tasks. For an account that
 * joined by the link or on another device.
 */
export function markJoined(): void {
  if (browserStorage.read("class") === null) storeCode("");
}

/** Returns the code with which this browser joined; null if it has not joined or used the link. */
export const readJoinedCode = (): string | null => browserStorage.read("class") || null;

/**
 * Signs in with a practice wallet, which is created and stored if `seed` is null, and joins the
 * class: a new account joins within its first sign-in, an existing one right after it.
 */
export async function joinSignedOut(code: string, seed: Uint8Array | null): Promise<void> {
  const ownSeed = seed ?? createWalletSeed();
  setInvite(code);
  try {
    // Signed in first: a code that is refused must not replace a wallet.
    await signInWith(ownSeed);
  } finally {
    clearInvite();
  }
  if (seed === null) storeSeed(ownSeed);
  await joinSignedIn(code);
}

export async function joinSignedIn(code: string): Promise<void> {
  await client.call(joinClass, { code });
  storeCode(code);
  queryClient.removeQueries({ queryKey: [findClassCode.path] });
  await invalidate(getClassTasks);
}

/** Encrypts this browser's practice wallet under code and PIN and stores it. */
export async function storeBackup(code: string, pin: string): Promise<void> {
  const seed = readStoredSeed();
  if (!seed) throw new DamagedBackupError();
  const { proof, key } = await deriveBackupKeys(code, pin);
  const backup = encryptSeed(seed, key, crypto.getRandomValues(new Uint8Array(24)));
  await client.call(storeClassBackup, {
    code,
    proof: bytesToHex(proof),
    backup: bytesToHex(backup),
  });
  markBackedUp();
  await invalidate(getClassTasks);
}

/** Restores the practice wallet of a code and signs in with it. */
export async function restoreBackup(code: string, pin: string): Promise<void> {
  const { proof, key } = await deriveBackupKeys(code, pin);
  const { data } = await client.call(openClassBackup, { code, proof: bytesToHex(proof) });
  const seed = decryptSeed(hexToBytes(data.backup), key);
  if (!seed) throw new DamagedBackupError();
  storeSeed(seed);
  markBackedUp();
  await signInWith(seed);
  storeCode(code);
  await invalidate(getClassTasks);
}
