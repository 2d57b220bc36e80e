import { getRaiseNonce, raise } from "#api/routes/operator/session.ts";
import { setElevated } from "#operator/app/useOperator.ts";
import { createStore, useStore } from "#ui/createStore.ts";
import { findWallet } from "#web/features/session/discover.ts";
import { storedSeed } from "#web/features/session/practice/keyStorage.ts";
import {
  connect,
  messageFor,
  practiceSigner,
  type Signer,
} from "#web/features/session/signInFlow.ts";
import { usedWallet } from "#web/features/session/walletMemory.ts";
import { client } from "#web/lib/api/client.ts";
import { newKey } from "#web/lib/api/idempotencyKeys.ts";

const isOpen = createStore(false);
let waiting: ((raised: boolean) => void)[] = [];

/** Opens the elevation sheet; resolves with whether the session was elevated. */
export function requestElevation(): Promise<boolean> {
  isOpen.set(true);
  return new Promise((resolve) => waiting.push(resolve));
}

export function closeElevation(raised: boolean): void {
  isOpen.set(false);
  const resolvers = waiting;
  waiting = [];
  for (const resolve of resolvers) resolve(raised);
}

export function useElevationOpen(): boolean {
  return useStore(isOpen);
}

/** The wallet that signed in here is no longer in this browser. */
export class WalletGoneError extends Error {
  constructor() {
    super("the wallet of this session is not in this browser");
    this.name = "WalletGoneError";
  }
}

/** The wallet chosen in this browser holds a different account from the one that signed in. */
export class WrongAccountError extends Error {
  constructor() {
    super("the wallet has a different account from the session");
    this.name = "OtherAccountError";
  }
}

async function signerOfSession(): Promise<Signer> {
  const used = usedWallet();
  if (used?.kind === "practice") {
    const seed = storedSeed();
    if (seed) return practiceSigner(seed);
  }
  if (used?.kind === "browser") {
    const found = await findWallet(used.rdns);
    if (found) return connect(found);
  }
  throw new WalletGoneError();
}

/**
 * Has the wallet of this session sign again, with one of its four methods, and elevates the session
 * for ten minutes.
 */
export async function elevate(): Promise<void> {
  const signer = await signerOfSession();
  const { data } = await client.call(getRaiseNonce, { chain_id: signer.chainId });
  if (data.address.toLowerCase() !== signer.address.toLowerCase()) throw new WrongAccountError();
  const message = messageFor(signer, data);
  const signature = await signer.sign(message);
  const idempotencyKey = newKey();
  const raised = await client.call(raise, { message, signature }, { idempotencyKey });
  setElevated(raised.data.raised_until_ms);
}
