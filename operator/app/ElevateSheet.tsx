import { useState } from "react";
import { ApiError } from "#api/client.ts";
import { loadMessages } from "#i18n/load.ts";
import { useText } from "#i18n/useText.ts";
import {
  closeElevation,
  elevate,
  useElevationOpen,
  WalletGoneError,
  WrongAccountError,
} from "#operator/app/elevate.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { NoAccountError } from "#web/features/session/signInFlow.ts";
import { walletFault } from "#web/features/session/walletError.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";

/** Elevation: what it is for, how long it lasts, and the wallet's signature. */
export function ElevateSheet() {
  const t = useText();
  const errorMessage = useErrorMessage();
  const open = useElevationOpen();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [wasOpen, setWasOpen] = useState(open);
  if (open !== wasOpen) {
    setWasOpen(open);
    setFailure(null);
    setBusy(false);
  }
  const words = async (cause: unknown): Promise<string> => {
    if (cause instanceof ApiError) return errorMessage(cause);
    if (cause instanceof WalletGoneError) return t("console.raise.gone");
    if (cause instanceof WrongAccountError) return t("console.raise.other");
    await loadMessages(["signin"]);
    const fault = cause instanceof NoAccountError ? "locked" : walletFault(cause);
    return t(`signin.wallet.error.${fault}`);
  };
  const sign = async () => {
    setBusy(true);
    setFailure(null);
    try {
      await elevate();
      closeElevation(true);
    } catch (cause) {
      setFailure(await words(cause));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Sheet
      open={open}
      onOpenChange={(next) => {
        if (!next) closeElevation(false);
      }}
      title={t("console.raise.title")}
      actions={
        <>
          {failure ? <ErrorNote>{failure}</ErrorNote> : null}
          <Button block busy={busy} onClick={() => void sign()}>
            {t("console.raise.do")}
          </Button>
          <Button block variant="quiet" onClick={() => closeElevation(false)}>
            {t("ui.close")}
          </Button>
        </>
      }
    >
      <p>{t("console.raise.text")}</p>
      <p className="mt-2 text-small text-ink-soft">{t("console.raise.moves")}</p>
    </Sheet>
  );
}
