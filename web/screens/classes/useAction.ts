import { useState } from "react";
import { ApiError } from "#api/client.ts";
import { useText } from "#i18n/useText.ts";
import { getWalletErrorCode } from "#web/features/session/walletError.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { DamagedBackupError } from "#web/screens/classes/joining.ts";

/** Runs one action at a time, and describes its failure in a sentence. */
export function useAction() {
  const t = useText();
  const errorMessage = useErrorMessage();
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const messageOf = (error: unknown): string => {
    if (error instanceof ApiError) return errorMessage(error);
    if (error instanceof DamagedBackupError) return t("class-room.restore.damaged");
    return t(`sign-in.wallet.error.${getWalletErrorCode(error)}`);
  };
  const run = async (work: () => Promise<void>): Promise<void> => {
    if (isBusy) return;
    setIsBusy(true);
    setFailure(null);
    try {
      await work();
    } catch (error) {
      setFailure(messageOf(error));
    } finally {
      setIsBusy(false);
    }
  };
  return { isBusy, failure, run };
}
