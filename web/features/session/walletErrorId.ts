import { loadMessages } from "#i18n/load.ts";
import { getWalletErrorCode } from "#web/features/session/walletError.ts";

/**
 * The id of the message that says how the wallet failed, once its texts are loaded. Translate it
 * while rendering: a text made before that would not know them yet.
 */
export async function getWalletErrorId(error: unknown): Promise<string> {
  await loadMessages(["sign-in"]);
  return `sign-in.wallet.error.${getWalletErrorCode(error)}`;
}
