import { useCallback } from "react";
import { type AnswerOf, changesSomething, type InputOf, type Route } from "#api/call.ts";
import { type AnsweredCall, ApiError } from "#api/client.ts";
import { permissions } from "#core/operator/permissions.ts";
import { requestElevation } from "#operator/app/elevate.ts";
import { getElevationEndMs, invalidateMe } from "#operator/app/useOperator.ts";
import { type ApiMutation, useApiMutation } from "#web/lib/api/useApiMutation.ts";

/** Elevation was requested, and the sheet was dismissed. */
export class NotElevatedError extends Error {
  constructor() {
    super("the session was not elevated");
    this.name = "NotElevatedError";
  }
}

/**
 * `useApiMutation` for an operator's call: first requests elevation where its permission needs it,
 * and again if the server reports that it has just ended. Uses one idempotency key throughout, so
 * nothing happens twice. Rejects with NotElevatedError if the session was not elevated.
 */
export function useOperatorMutation<C extends Route>(call: C): ApiMutation<C> {
  const inner = useApiMutation(call);
  const { send: sendOnce } = inner;
  const send = useCallback(
    async (input: InputOf<C>): Promise<AnsweredCall<AnswerOf<C>>> => {
      const requiresElevation = call.permission ? permissions[call.permission].elevated : false;
      const elevationNeeded = requiresElevation && changesSomething(call);
      if (elevationNeeded && getElevationEndMs() === null && !(await requestElevation()))
        throw new NotElevatedError();
      try {
        return await sendOnce(input);
      } catch (failure) {
        const error = failure instanceof ApiError ? failure.error : null;
        if (error === "operator.not_permitted" || error === "operator.required")
          void invalidateMe();
        if (error !== "operator.raise_required") throw failure;
        if (!(await requestElevation())) throw new NotElevatedError();
        return sendOnce(input);
      }
    },
    [call, sendOnce],
  );
  return { ...inner, send };
}
