import { useCallback } from "react";
import { ApiError } from "#api/client.ts";
import { loadMessages } from "#i18n/load.ts";
import { useText } from "#i18n/useText.ts";
import { WalletGoneError, WrongAccountError } from "#operator/app/elevate.ts";
import { KeyFailedError, KeyKnownError } from "#operator/app/securityKey.ts";
import { NoAccountError } from "#web/features/session/signInFlow.ts";
import { walletFault } from "#web/features/session/walletError.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";

/** Why elevating or changing a factor failed, in one sentence: server, wallet or security key. */
export function useFailureText(): (cause: unknown) => Promise<string> {
  const t = useText();
  const errorMessage = useErrorMessage();
  return useCallback(
    async (cause) => {
      if (cause instanceof ApiError) return errorMessage(cause);
      if (cause instanceof WalletGoneError) return t("console.raise.gone");
      if (cause instanceof WrongAccountError) return t("console.raise.other");
      if (cause instanceof KeyFailedError) return t("console.factor.key.failed");
      if (cause instanceof KeyKnownError) return t("console.factor.key.known");
      await loadMessages(["signin"]);
      const fault = cause instanceof NoAccountError ? "locked" : walletFault(cause);
      return t(`signin.wallet.error.${fault}`);
    },
    [t, errorMessage],
  );
}
