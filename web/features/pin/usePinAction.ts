import { useState } from "react";
import { ApiError } from "#api/client.ts";
import { useText } from "#i18n/useText.ts";
import { isPinError } from "#web/features/pin/isPinError.ts";
import { WalletError } from "#web/features/session/provider.ts";
import { openSignIn } from "#web/features/session/sheets.ts";
import { getWalletErrorId } from "#web/features/session/walletErrorId.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { useLatestRun } from "#web/lib/useLatestRun.ts";

/**
 * The state that a `PinSheet` and the sheet above it show about an action that may need the PIN.
 */
export interface PinAction {
  /** Attempts the action, with the PIN if one was typed. */
  go: (pin?: string) => Promise<void>;
  /** Why it was refused; null while only the PIN is missing. */
  failure: string | null;
  pin: { isAsking: boolean; error: string | null; ask: () => void; close: () => void };
  /** Abandons a running attempt that can still be abandoned: its late answer then has no effect. */
  abandon: () => void;
}

/** A text, or the id of one of our messages. */
type PinFailure = { text: string } | { id: string };

/**
 * Runs an action that may need the PIN: asks for it on demand, shows a wrong PIN in that sheet, and
 * any other error where the action is. `act` may ask a wallet, and stops once it is not `wanted`.
 */
export function usePinAction(
  act: (pin: { pin?: string }, wanted: () => boolean) => Promise<void>,
): PinAction {
  const t = useText();
  const errorMessage = useErrorMessage();
  const { begin, abandon } = useLatestRun();
  const [failure, setFailure] = useState<PinFailure | null>(null);
  const [asking, setAsking] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const fail = async (thrown: unknown, isLatest: () => boolean) => {
    const message =
      thrown instanceof WalletError
        ? { id: await getWalletErrorId(thrown) }
        : { text: errorMessage(thrown) };
    if (isLatest()) setFailure(message);
  };
  const run = async (pin?: string) => {
    const isLatest = begin();
    setFailure(null);
    setError(null);
    try {
      await act(pin === undefined ? {} : { pin }, isLatest);
      if (isLatest()) setAsking(false);
    } catch (error) {
      if (!isLatest()) return;
      const name = error instanceof ApiError ? error.error : "";
      if (isPinError(name)) {
        setAsking(true);
        // The first refusal only means that a PIN is needed, so no error is shown.
        setError(pin === undefined ? null : errorMessage(error));
        return;
      }
      setAsking(false);
      await fail(error, isLatest);
      if (name === "session.required") openSignIn();
    }
  };
  const ask = () => {
    setError(null);
    setAsking(true);
  };
  return {
    go: run,
    failure: failure && ("text" in failure ? failure.text : t(failure.id)),
    pin: { isAsking: asking, error, ask, close: () => setAsking(false) },
    abandon,
  };
}
