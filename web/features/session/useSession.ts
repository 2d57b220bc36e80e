import { useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import type { UserInfo } from "#api/session.ts";
import { useText } from "#i18n/useText.ts";
import { toast } from "#ui/overlay/toast.ts";
import { followSession, getCurrentUser, sessionKey } from "#web/features/session/sessionCache.ts";
import { openSignIn, requestTerms } from "#web/features/session/sheets.ts";
import { useConfigQuery } from "#web/lib/api/useConfig.ts";

export interface SessionView {
  user: UserInfo | null;
  status: "loading" | "signed_out" | "signed_in";
  /** Opens the sign-in sheet. */
  signIn: () => void;
  /**
   * Returns true if the practice terms in force are accepted; shows them first if needed. Without a
   * session it opens the sign-in sheet and resolves to false.
   */
  requireTerms: () => Promise<boolean>;
}

const signIn = () => openSignIn();

/**
 * The signed-in user: reads the configuration first, then the cookie's user
 * (docs/rules/session.md).
 */
export function useSession(): SessionView {
  const t = useText();
  const isStarted = useConfigQuery().status !== "pending";
  const { data, status } = useQuery({
    queryKey: sessionKey,
    queryFn: ({ signal }) => followSession(signal),
    enabled: isStarted,
    staleTime: 60_000,
  });
  const requireTerms = useCallback(async () => {
    const user = getCurrentUser();
    if (!user) {
      openSignIn();
      return false;
    }
    if (user.terms.accepted_version === user.terms.current_version) return true;
    const isAccepted = await requestTerms();
    if (!isAccepted) toast(t("session.terms.first"));
    return isAccepted;
  }, [t]);
  return {
    user: data ?? null,
    status: data ? "signed_in" : status === "pending" ? "loading" : "signed_out",
    signIn,
    requireTerms,
  };
}
