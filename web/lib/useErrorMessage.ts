import { useCallback } from "react";
import { useIntl } from "react-intl";
import { CallError } from "#api/client.ts";

/** Turns any failure into one plain sentence with what to do next: the server's own, or ours when nothing came back. */
export function useSentence(): (failure: unknown) => string {
  const { formatMessage } = useIntl();
  return useCallback(
    (failure) => {
      if (!(failure instanceof CallError)) return formatMessage({ id: "app.failed" });
      if (failure.error === "network.failed") return formatMessage({ id: "app.network_failed" });
      return failure.message || formatMessage({ id: "app.failed" });
    },
    [formatMessage],
  );
}
