import { findWallet } from "#web/features/session/discover.ts";
import { readStoredSeed } from "#web/features/session/practice/keyStorage.ts";
import { connect, practiceSigner, type Signer } from "#web/features/session/signInFlow.ts";
import { getUsedWallet } from "./walletStorage.ts";

/** The wallet that signed in here last; null when it is no longer in this browser. */
export async function findSessionSigner(): Promise<Signer | null> {
  const used = getUsedWallet();
  if (used?.kind === "practice") {
    const seed = readStoredSeed();
    if (seed) return practiceSigner(seed);
  }
  if (used?.kind === "browser") {
    const wallet = await findWallet(used.rdns);
    if (wallet) return connect(wallet);
  }
  return null;
}
