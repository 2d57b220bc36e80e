import { useCallback } from "react";
import { type AnswerOf, changesSomething, type InputOf, type Route } from "#api/call.ts";
import { type Answered, ApiError } from "#api/client.ts";
import { permissions } from "#core/operator/permissions.ts";
import { requestElevation } from "#operator/app/elevate.ts";
import { elevatedUntil, invalidateMe } from "#operator/app/useOperator.ts";
import { type ApiMutation, useApiMutation } from "#web/lib/api/useApiMutation.ts";

/** Powers were asked for, and the sheet was put away. */
export class NotElevatedError extends Error {
  constructor() {
    super("powers were not raised");
    this.name = "NotRaisedError";
  }
}

/**
 * `useApiMutation` for an operator's call: asks for raised powers first where its permission needs
 * them, and once more when the server says that they have just ended. One key for all of it, so
 * that nothing is done twice. Rejects with NotElevatedError when they were not raised.
 */
export function useOperatorMutation<C extends Route>(call: C): ApiMutation<C> {
  const inner = useApiMutation(call);
  const { send: sendOnce } = inner;
  const send = useCallback(
    async (input: InputOf<C>): Promise<Answered<AnswerOf<C>>> => {
      const raised = call.permission ? permissions[call.permission].elevated : false;
      const elevationNeeded = raised && changesSomething(call);
      if (elevationNeeded && elevatedUntil() === null && !(await requestElevation()))
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
