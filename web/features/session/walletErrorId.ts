import { loadMessages } from "#i18n/load.ts";
import { getWalletErrorCode } from "#web/features/session/walletError.ts";

/**
 * Loads the texts about wallet failures and returns the id of the message for this one. Translate
 * it while rendering: a text formatted earlier would not have them yet.
 */
export async function getWalletErrorId(error: unknown): Promise<string> {
  await loadMessages(["sign-in"]);
  return `sign-in.wallet.error.${getWalletErrorCode(error)}`;
}
