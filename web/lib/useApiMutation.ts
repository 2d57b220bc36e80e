import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { type AnswerOf, type InputOf, type Route, takesKey } from "#api/call.ts";
import { type Answered, CallError } from "#api/client.ts";
import { client } from "#web/lib/client.ts";
import { createIntents, type Intents, newKey } from "#web/lib/idempotencyKeys.ts";

export interface Send<C extends Route> {
  /** Makes the call; resolves with data and the server's message, rejects with a CallError. */
  send: (input: InputOf<C>) => Promise<Answered<AnswerOf<C>>>;
  busy: boolean;
  /** Why the last attempt failed; null again when the next one begins. */
  error: CallError | null;
  reset: () => void;
}

/**
 * A call that does something. One UUIDv7 is made per intent and kept for retries, so sending again after a lost answer
 * never does it twice. What was typed stays with the caller.
 */
export function useSend<C extends Route>(call: C): Send<C> {
  const [intents] = useState(() => createIntents(newKey));
  const { mutateAsync, isPending, error, reset } = useMutation<
    Answered<AnswerOf<C>>,
    CallError,
    InputOf<C>
  >({ mutationFn: (input) => sendOnce(call, input, intents) });
  return { send: mutateAsync, busy: isPending, error, reset };
}

/** One attempt with the key of its intent; whatever goes wrong is a CallError. */
export async function sendOnce<C extends Route>(
  call: C,
  input: InputOf<C>,
  intents: Intents,
): Promise<Answered<AnswerOf<C>>> {
  const options = takesKey(call) ? { idempotencyKey: intents.keyFor(JSON.stringify(input)) } : {};
  try {
    const answered = await client.call(call, input, options);
    intents.answered(null);
    return answered;
  } catch (cause) {
    intents.answered(cause);
    throw cause instanceof CallError ? cause : new CallError("network.failed", String(cause), 0);
  }
}
