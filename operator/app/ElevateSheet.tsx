import { useState } from "react";
import { useIntl } from "react-intl";
import { CallError } from "#api/client.ts";
import { needMessages } from "#i18n/load.ts";
import {
  closeRaise,
  OtherAccountError,
  raisePowers,
  useRaiseOpen,
  WalletGoneError,
} from "#operator/app/elevate.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { NoAccountError } from "#web/features/session/signInFlow.ts";
import { walletFault } from "#web/features/session/walletError.ts";
import { useSentence } from "#web/lib/useErrorMessage.ts";

/** Raising powers: what it is for, how long it lasts, and the wallet's signature. */
export function RaiseSheet() {
  const { formatMessage } = useIntl();
  const sentence = useSentence();
  const open = useRaiseOpen();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [wasOpen, setWasOpen] = useState(open);
  if (open !== wasOpen) {
    setWasOpen(open);
    setFailure(null);
    setBusy(false);
  }
  const words = async (cause: unknown): Promise<string> => {
    if (cause instanceof CallError) return sentence(cause);
    if (cause instanceof WalletGoneError) return formatMessage({ id: "console.raise.gone" });
    if (cause instanceof OtherAccountError) return formatMessage({ id: "console.raise.other" });
    await needMessages(["signin"]);
    const fault = cause instanceof NoAccountError ? "locked" : walletFault(cause);
    return formatMessage({ id: `signin.wallet.error.${fault}` });
  };
  const sign = async () => {
    setBusy(true);
    setFailure(null);
    try {
      await raisePowers();
      closeRaise(true);
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
        if (!next) closeRaise(false);
      }}
      title={formatMessage({ id: "console.raise.title" })}
      actions={
        <>
          {failure ? <ErrorNote>{failure}</ErrorNote> : null}
          <Button block busy={busy} onClick={() => void sign()}>
            {formatMessage({ id: "console.raise.do" })}
          </Button>
          <Button block variant="quiet" onClick={() => closeRaise(false)}>
            {formatMessage({ id: "ui.close" })}
          </Button>
        </>
      }
    >
      <p>{formatMessage({ id: "console.raise.text" })}</p>
      <p className="mt-2 text-small text-ink-soft">
        {formatMessage({ id: "console.raise.moves" })}
      </p>
    </Sheet>
  );
}
