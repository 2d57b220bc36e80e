import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { type AnswerOf, type InputOf, type Route, requiresIdempotencyKey } from "#api/call.ts";
import { type AnsweredCall, ApiError } from "#api/client.ts";
import { storeAcknowledgement } from "#web/lib/acknowledgements.ts";
import { client } from "#web/lib/api/client.ts";
import {
  createIdempotencyKeys,
  createKey,
  type IdempotencyKeys,
} from "#web/lib/api/idempotencyKeys.ts";
import { getWorldNowMs } from "#web/lib/worldClock.ts";

export interface ApiMutation<C extends Route> {
  /** Makes the call; resolves with data and the server's message, rejects with an ApiError. */
  send: (input: InputOf<C>) => Promise<AnsweredCall<AnswerOf<C>>>;
  isBusy: boolean;
  /** Why the last attempt failed; reset to null when the next one begins. */
  error: ApiError | null;
  reset: () => void;
}

/**
 * A mutating call. It creates one UUIDv7 per intended action and keeps it for retries, so that
 * sending again after a lost answer never acts twice. The caller keeps what was typed.
 */
export function useApiMutation<C extends Route>(call: C): ApiMutation<C> {
  const [idempotencyKeys] = useState(() => createIdempotencyKeys(createKey));
  const { mutateAsync, isPending, error, reset } = useMutation<
    AnsweredCall<AnswerOf<C>>,
    ApiError,
    InputOf<C>
  >({ mutationFn: (input) => sendOnce(call, input, idempotencyKeys) });
  return { send: mutateAsync, isBusy: isPending, error, reset };
}

/** One attempt with the key of its intended action; any failure is an ApiError. */
export async function sendOnce<C extends Route>(
  call: C,
  input: InputOf<C>,
  idempotencyKeys: IdempotencyKeys,
): Promise<AnsweredCall<AnswerOf<C>>> {
  const key = requiresIdempotencyKey(call) ? idempotencyKeys.keyFor(JSON.stringify(input)) : null;
  const at_ms = Math.max(0, Math.floor(getWorldNowMs()));
  try {
    const answeredCall = await client.call(
      call,
      input,
      key === null ? {} : { idempotencyKey: key },
    );
    idempotencyKeys.release(null);
    if (call.money && key !== null)
      void storeAcknowledgement(
        { call: call.path, key, input, at_ms },
        answeredCall.acknowledgement,
      );
    return answeredCall;
  } catch (error) {
    idempotencyKeys.release(error);
    throw error instanceof ApiError ? error : new ApiError("network.failed", String(error), 0);
  }
}
