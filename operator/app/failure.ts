import { ApiError } from "#api/client.ts";
import { loadMessages } from "#i18n/load.ts";
import { WalletGoneError, WrongAccountError } from "#operator/app/elevate.ts";
import { KeyFailedError, KeyKnownError } from "#operator/app/securityKey.ts";
import { NoAccountError } from "#web/features/session/signInFlow.ts";
import { walletFault } from "#web/features/session/walletError.ts";

/** An error of the server, or a message of ours by its id. */
export type Failure = { error: ApiError } | { id: string };

/** Says why elevating or changing a factor failed: server, wallet or security key. */
export async function describeFailure(cause: unknown): Promise<Failure> {
  if (cause instanceof ApiError) return { error: cause };
  if (cause instanceof WalletGoneError) return { id: "console.raise.gone" };
  if (cause instanceof WrongAccountError) return { id: "console.raise.other" };
  if (cause instanceof KeyFailedError) return { id: "console.factor.key.failed" };
  if (cause instanceof KeyKnownError) return { id: "console.factor.key.known" };
  // Drawn after this: a text made now would not know them yet.
  await loadMessages(["signin"]);
  const fault = cause instanceof NoAccountError ? "locked" : walletFault(cause);
  return { id: `signin.wallet.error.${fault}` };
}
