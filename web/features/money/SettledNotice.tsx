import { lazy, Suspense } from "react";
import { loadMessages } from "#i18n/load.ts";
import { useSession } from "#web/features/session/useSession.ts";

const Host = lazy(async () => {
  const [host] = await Promise.all([
    import("#web/features/money/SettledHost.tsx"),
    loadMessages(["results"]),
  ]);
  return host;
});

/** Results of orders, wherever one is. Loaded once somebody is signed in; nothing waits for it. */
export function SettledNotice() {
  const { status } = useSession();
  return status === "signed_in" ? (
    <Suspense fallback={null}>
      <Host />
    </Suspense>
  ) : null;
}
