import { useText } from "#i18n/useText.ts";
import type { ActionFailure } from "#operator/app/failure.ts";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";

/** Why elevating or changing a factor failed; nothing for null. */
export function FailureNote({ failure }: { failure: ActionFailure | null }) {
  const t = useText();
  const errorMessage = useErrorMessage();
  if (failure === null) return null;
  return <ErrorNote>{"error" in failure ? errorMessage(failure.error) : t(failure.id)}</ErrorNote>;
}
