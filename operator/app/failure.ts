import { ApiError } from "#api/client.ts";
import { WalletGoneError, WrongAccountError } from "#operator/app/elevate.ts";
import { KeyFailedError, KeyKnownError } from "#operator/app/securityKey.ts";
import { getWalletErrorId } from "#web/features/session/walletErrorId.ts";

/** An error from the server, or one of our own messages by its id. */
export type ActionFailure = { error: ApiError } | { id: string };

/** Describes why elevating or changing a factor failed: server, wallet or security key. */
export async function describeFailure(error: unknown): Promise<ActionFailure> {
  if (error instanceof ApiError) return { error: error };
  if (error instanceof WalletGoneError) return { id: "console.raise.gone" };
  if (error instanceof WrongAccountError) return { id: "console.raise.other" };
  if (error instanceof KeyFailedError) return { id: "console.factor.key.failed" };
  if (error instanceof KeyKnownError) return { id: "console.factor.key.known" };
  return { id: await getWalletErrorId(error) };
}
