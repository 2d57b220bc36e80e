import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { type AnswerOf, type InputOf, type Route, requiresIdempotencyKey } from "#api/call.ts";
import { type Answered, ApiError } from "#api/client.ts";
import { client } from "#web/lib/api/client.ts";
import {
  createIdempotencyKeys,
  type IdempotencyKeys,
  newKey,
} from "#web/lib/api/idempotencyKeys.ts";

export interface ApiMutation<C extends Route> {
  /** Makes the call; resolves with data and the server's message, rejects with a CallError. */
  send: (input: InputOf<C>) => Promise<Answered<AnswerOf<C>>>;
  busy: boolean;
  /** Why the last attempt failed; null again when the next one begins. */
  error: ApiError | null;
  reset: () => void;
}

/**
 * A call that does something. One UUIDv7 is made per intent and kept for retries, so sending again
 * after a lost answer never does it twice. What was typed stays with the caller.
 */
export function useApiMutation<C extends Route>(call: C): ApiMutation<C> {
  const [idempotencyKeys] = useState(() => createIdempotencyKeys(newKey));
  const { mutateAsync, isPending, error, reset } = useMutation<
    Answered<AnswerOf<C>>,
    ApiError,
    InputOf<C>
  >({ mutationFn: (input) => sendOnce(call, input, idempotencyKeys) });
  return { send: mutateAsync, busy: isPending, error, reset };
}

/** One attempt with the key of its intent; whatever goes wrong is a CallError. */
export async function sendOnce<C extends Route>(
  call: C,
  input: InputOf<C>,
  idempotencyKeys: IdempotencyKeys,
): Promise<Answered<AnswerOf<C>>> {
  const options = requiresIdempotencyKey(call)
    ? { idempotencyKey: idempotencyKeys.keyFor(JSON.stringify(input)) }
    : {};
  try {
    const answered = await client.call(call, input, options);
    idempotencyKeys.release(null);
    return answered;
  } catch (cause) {
    idempotencyKeys.release(cause);
    throw cause instanceof ApiError ? cause : new ApiError("network.failed", String(cause), 0);
  }
}
