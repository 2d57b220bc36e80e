import { ApiError } from "#api/client.ts";
import { WalletGoneError, WrongAccountError } from "#operator/app/elevate.ts";
import { KeyFailedError, KeyKnownError } from "#operator/app/securityKey.ts";
import { walletErrorId } from "#web/features/session/walletErrorId.ts";

/** An error of the server, or a message of ours by its id. */
export type ActionFailure = { error: ApiError } | { id: string };

/** Says why elevating or changing a factor failed: server, wallet or security key. */
export async function describeFailure(cause: unknown): Promise<ActionFailure> {
  if (cause instanceof ApiError) return { error: cause };
  if (cause instanceof WalletGoneError) return { id: "console.raise.gone" };
  if (cause instanceof WrongAccountError) return { id: "console.raise.other" };
  if (cause instanceof KeyFailedError) return { id: "console.factor.key.failed" };
  if (cause instanceof KeyKnownError) return { id: "console.factor.key.known" };
  return { id: await walletErrorId(cause) };
}
