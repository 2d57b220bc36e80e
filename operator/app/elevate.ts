import type { InputOf } from "#api/call.ts";
import type { SecurityKeyView } from "#api/operator/factors.ts";
import { getFactors } from "#api/routes/operator/factors.ts";
import { getRaiseNonce, raise } from "#api/routes/operator/session.ts";
import { signNonce } from "#operator/app/securityKey.ts";
import { setElevated } from "#operator/app/useOperator.ts";
import { createStore, useStore } from "#ui/createStore.ts";
import { findSessionSigner } from "#web/features/session/signerOfSession.ts";
import { buildSignInMessage } from "#web/features/session/signInFlow.ts";
import { client } from "#web/lib/api/client.ts";
import { createKey } from "#web/lib/api/idempotencyKeys.ts";
import { invalidate } from "#web/lib/api/useApiQuery.ts";

const isOpen = createStore(false);
let pendingResolvers: ((elevated: boolean) => void)[] = [];

/** Opens the elevation sheet; resolves to true if the session was elevated. */
export function requestElevation(): Promise<boolean> {
  isOpen.set(true);
  return new Promise((resolve) => pendingResolvers.push(resolve));
}

export function closeElevation(elevated: boolean): void {
  isOpen.set(false);
  const resolvers = pendingResolvers;
  pendingResolvers = [];
  for (const resolve of resolvers) resolve(elevated);
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
    this.name = "WrongAccountError";
  }
}

/** The proof besides the wallet's signature; `signature`: none, for setting up a factor. */
export type ElevationProof =
  | { with: "passphrase"; passphrase: string }
  | { with: "key"; rpId: string; keys: readonly SecurityKeyView[] }
  | { with: "code"; code: string }
  | { with: "signature" };

/**
 * Has the security key and then the wallet of this session sign one nonce, and elevates the session
 * for ten minutes. The key comes first: some browsers prompt for it only shortly after a press.
 */
export async function elevate(proof: ElevationProof): Promise<void> {
  const signer = await findSessionSigner();
  if (!signer) throw new WalletGoneError();
  const { data } = await client.call(getRaiseNonce, { chain_id: signer.chainId });
  if (data.address.toLowerCase() !== signer.address.toLowerCase()) throw new WrongAccountError();
  const proven = await proofInput(proof, data.nonce);
  const message = buildSignInMessage(signer, data);
  const signature = await signer.sign(message);
  const idempotencyKey = createKey();
  const input = { message, signature, ...proven };
  const elevated = await client.call(raise, input, { idempotencyKey });
  setElevated(elevated.data.raised_until_ms);
  // When each key was last used.
  void invalidate(getFactors);
}

async function proofInput(
  proof: ElevationProof,
  nonce: string,
): Promise<Partial<InputOf<typeof raise>>> {
  switch (proof.with) {
    case "signature":
      return {};
    case "passphrase":
      return { passphrase: proof.passphrase };
    case "code":
      return { code: proof.code };
    case "key":
      return { key: await signNonce(nonce, proof.rpId, proof.keys) };
  }
}
