import { useCallback } from "react";
import { type AnswerOf, changesSomething, type InputOf, type Route } from "#api/call.ts";
import { type Answered, CallError } from "#api/client.ts";
import { permissions } from "#core/operator/permissions.ts";
import { askToRaise } from "#operator/app/elevate.ts";
import { raisedUntil, refreshMe } from "#operator/app/useOperator.ts";
import { type Send, useSend } from "#web/lib/useApiMutation.ts";

/** Powers were asked for, and the sheet was put away. */
export class NotRaisedError extends Error {
  constructor() {
    super("powers were not raised");
    this.name = "NotRaisedError";
  }
}

/**
 * `useSend` for an operator's call: asks for raised powers first where its permission needs them, and once more when the server says
 * that they have just ended. One key for all of it, so that nothing is done twice. Rejects with NotRaisedError when they were not raised.
 */
export function useOperatorSend<C extends Route>(call: C): Send<C> {
  const inner = useSend(call);
  const { send: sendOnce } = inner;
  const send = useCallback(
    async (input: InputOf<C>): Promise<Answered<AnswerOf<C>>> => {
      const raised = call.permission ? permissions[call.permission].raised : false;
      const needs = raised && changesSomething(call);
      if (needs && raisedUntil() === null && !(await askToRaise())) throw new NotRaisedError();
      try {
        return await sendOnce(input);
      } catch (failure) {
        const error = failure instanceof CallError ? failure.error : null;
        if (error === "operator.not_permitted" || error === "operator.required") void refreshMe();
        if (error !== "operator.raise_required") throw failure;
        if (!(await askToRaise())) throw new NotRaisedError();
        return sendOnce(input);
      }
    },
    [call, sendOnce],
  );
  return { ...inner, send };
}
