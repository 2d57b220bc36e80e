import { useState } from "react";
import { ApiError } from "#api/client.ts";
import { toast } from "#ui/overlay/toast.ts";
import { useSession } from "#web/features/session/useSession.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";

interface ConfirmOptions<Input, Answer> {
  send: (input: Input) => Promise<Answer>;
  /** Text of the toast shown on success. */
  done: (answer: Answer) => string;
  /** Runs after the toast: closes the sheet and refetches what changed. */
  onDone: (answer: Answer) => void | Promise<void>;
  /** Called with the refusal; may return a message that fits better than the server's. */
  onRefused?: (error: ApiError) => string | undefined;
  /** True if the practice terms must be accepted first. */
  requiresTerms?: boolean;
}

/**
 * The steps of every confirmation: asks for the practice terms if needed, sends the call, shows a
 * toast on success, and opens the sign-in sheet when the session is gone.
 */
export function useConfirm<Answer, Input = void>(
  options: ConfirmOptions<Input, Answer>,
): {
  confirm: (input: Input) => Promise<void>;
  /** Why the last attempt failed, in a sentence. */
  failure: string | null;
} {
  const { send, done, onDone, onRefused, requiresTerms = false } = options;
  const { requireTerms, signIn } = useSession();
  const errorMessage = useErrorMessage();
  const [failure, setFailure] = useState<string | null>(null);
  const confirm = async (input: Input) => {
    setFailure(null);
    if (requiresTerms && !(await requireTerms())) return;
    try {
      const answer = await send(input);
      toast(done(answer));
      await onDone(answer);
    } catch (error) {
      const isRefused = error instanceof ApiError;
      setFailure((isRefused && onRefused?.(error)) || errorMessage(error));
      if (isRefused && error.error === "session.required") signIn();
    }
  };
  return { confirm, failure };
}
