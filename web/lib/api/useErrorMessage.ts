import { useCallback } from "react";
import { ApiError } from "#api/client.ts";
import { useText } from "#i18n/useText.ts";

/**
 * Turns any failure into one plain sentence with what to do next: the server's, or ours when there
 * was no response.
 */
export function useErrorMessage(): (error: unknown) => string {
  const t = useText();
  return useCallback(
    (failure) => {
      if (!(failure instanceof ApiError)) return t("app.failed");
      if (failure.error === "network.failed") return t("app.network_failed");
      return failure.message || t("app.failed");
    },
    [t],
  );
}
