import { useState } from "react";
import { ApiError } from "#api/client.ts";
import { isPinError } from "#web/features/pin/isPinError.ts";
import { openSignIn } from "#web/features/session/sheets.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";

/** What a `PinSheet` and the sheet above it show of an act that may need the PIN. */
export interface Pinned {
  /** Tries it, with the PIN once one was typed. */
  go: (pin?: string) => Promise<void>;
  /** Why it was refused; null while it is only the PIN that is missing. */
  failure: string | null;
  pin: { asking: boolean; error: string | null; ask: () => void; close: () => void };
}

/**
 * Runs an act that the server may want the PIN for: asks it then, says a wrong one there, and any
 * other refusal where the act is.
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
        // The first time it only asks.
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
