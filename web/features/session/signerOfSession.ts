import { findWallet } from "#web/features/session/discover.ts";
import { readStoredSeed } from "#web/features/session/practice/keyStorage.ts";
import {
  connectWallet,
  createPracticeSigner,
  type Signer,
} from "#web/features/session/signInFlow.ts";
import { getUsedWallet } from "./walletStorage.ts";

/** Finds the wallet that last signed in here; null when it is no longer in this browser. */
export async function findSessionSigner(): Promise<Signer | null> {
  const usedWallet = getUsedWallet();
  if (usedWallet?.kind === "practice") {
    const seed = readStoredSeed();
    if (seed) return createPracticeSigner(seed);
  }
  if (usedWallet?.kind === "browser") {
    const wallet = await findWallet(usedWallet.rdns);
    if (wallet) return connectWallet(wallet);
  }
  return null;
}
