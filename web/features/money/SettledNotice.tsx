import { useSession } from "#web/features/session/useSession.ts";
import { lazyComponent } from "#web/lib/start/lazyComponent.tsx";

const Host = lazyComponent(() => import("#web/features/money/SettledHost.tsx"), ["results"], null);

/** Results of orders, on every screen. Loaded once a person is signed in; nothing waits for it. */
export function SettledNotice() {
  const { status } = useSession();
  return status === "signed_in" ? <Host /> : null;
}
