import { getUserInfo, type UserInfo } from "#api/session.ts";
import { useCall } from "#web/app/useCall.ts";

export interface SessionView {
  user: UserInfo | null;
  status: "loading" | "signed_out" | "signed_in";
  signIn: () => void;
  requireTerms: () => Promise<boolean>;
}

/** Who is signed in. */
export function useSession(): SessionView {
  const { data, status } = useCall(getUserInfo, {});
  return {
    user: data ?? null,
    status: data ? "signed_in" : status === "pending" ? "loading" : "signed_out",
    signIn: () => undefined,
    requireTerms: () => Promise.resolve(false),
  };
}
