import { useState } from "react";
import { ApiError } from "#api/client.ts";
import { isPinError } from "#web/features/pin/isPinError.ts";
import { openSignIn } from "#web/features/session/sheets.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";

/** What a `PinSheet` and the sheet above it show about an action that may need the PIN. */
export interface Pinned {
  /** Attempts the action, with the PIN once one was typed. */
  go: (pin?: string) => Promise<void>;
  /** Why it was refused; null while only the PIN is missing. */
  failure: string | null;
  pin: { asking: boolean; error: string | null; ask: () => void; close: () => void };
}

/**
 * Runs an action that may need the PIN: asks for it on demand, shows a wrong PIN in that sheet, and
 * any other error where the action is.
 */
export function usePinned(act: (pin: { pin?: string }) => Promise<void>): Pinned {
  const errorMessage = useErrorMessage();
  const [failure, setFailure] = useState<string | null>(null);
  const [asking, setAsking] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const go = async (pin?: string) => {
    setFailure(null);
    setError(null);
    try {
      await act(pin === undefined ? {} : { pin });
      setAsking(false);
    } catch (thrown) {
      const name = thrown instanceof ApiError ? thrown.error : "";
      if (isPinError(name)) {
        setAsking(true);
        // The first refusal only means that a PIN is needed, so no error is shown.
        setError(pin === undefined ? null : errorMessage(thrown));
        return;
      }
      setAsking(false);
      setFailure(errorMessage(thrown));
      if (name === "session.required") openSignIn();
    }
  };
  const ask = () => {
    setError(null);
    setAsking(true);
  };
  return { go, failure, pin: { asking, error, ask, close: () => setAsking(false) } };
}
