import { findWallet } from "#web/features/session/discover.ts";
import { storedSeed } from "#web/features/session/practice/keyStorage.ts";
import { connect, practiceSigner, type Signer } from "#web/features/session/signInFlow.ts";
import { usedWallet } from "./walletStorage.ts";

/** The wallet that signed in here last; null when it is no longer in this browser. */
export async function signerOfSession(): Promise<Signer | null> {
  const used = usedWallet();
  if (used?.kind === "practice") {
    const seed = storedSeed();
    if (seed) return practiceSigner(seed);
  }
  if (used?.kind === "browser") {
    const wallet = await findWallet(used.rdns);
    if (wallet) return connect(wallet);
  }
  return null;
}
