import { useCallback, useState } from "react";
import { type AnswerOf, type InputOf, type Route, takesKey } from "#api/call.ts";
import { type Answered, CallError } from "#api/client.ts";
import { client } from "#web/lib/client.ts";
import { createIntents, uuidV7 } from "#web/lib/idempotencyKeys.ts";

export interface Send<C extends Route> {
  /** Makes the call; resolves with data and the server's message, rejects with a CallError. */
  send: (input: InputOf<C>) => Promise<Answered<AnswerOf<C>>>;
  busy: boolean;
  /** Why the last attempt failed; null again when the next one begins. */
  error: CallError | null;
  reset: () => void;
}

function newKey(): string {
  return uuidV7(Date.now(), (bytes) => crypto.getRandomValues(bytes));
}

/**
 * A call that does something. One UUIDv7 is made per intent and kept for retries, so sending again after a lost answer
 * never does it twice. What was typed stays with the caller.
 */
export function useSend<C extends Route>(call: C): Send<C> {
  const [state, setState] = useState<{ busy: boolean; error: CallError | null }>({
    busy: false,
    error: null,
  });
  const [intents] = useState(() => createIntents(newKey));
  const send = useCallback(
    async (input: InputOf<C>) => {
      setState({ busy: true, error: null });
      const options = takesKey(call)
        ? { idempotencyKey: intents.keyFor(JSON.stringify(input)) }
        : {};
      try {
        const answered = await client.call(call, input, options);
        intents.answered(null);
        setState({ busy: false, error: null });
        return answered;
      } catch (cause) {
        intents.answered(cause);
        const error =
          cause instanceof CallError ? cause : new CallError("network.failed", String(cause), 0);
        setState({ busy: false, error });
        throw error;
      }
    },
    [call, intents],
  );
  const reset = useCallback(() => setState({ busy: false, error: null }), []);
  return { send, ...state, reset };
}
