import { useEffect, useState } from "react";
import { FormattedMessage } from "react-intl";
import type { UserInfo } from "#api/session.ts";
import { Link } from "#ui/router.tsx";
import { sessionKey } from "#web/features/session/sessionCache.ts";
import { useSession } from "#web/features/session/useSession.ts";
import { queryClient } from "#web/lib/api/client.ts";
import { useStreamEvent } from "#web/lib/stream.ts";

/**
 * Says on every page that an operator is viewing this person's pages with their code, and links to
 * where the viewing can be ended.
 */
export function ViewingBar() {
  const { user } = useSession();
  useStreamEvent("viewing", ({ until_ms: untilMs }) =>
    queryClient.setQueryData<UserInfo | null>(
      sessionKey,
      (previous) => previous && { ...previous, viewed_until_ms: untilMs },
    ),
  );
  const isShown = useBefore(user?.viewed_until_ms ?? null);
  return (
    <output>
      {isShown ? (
        <Link
          to="/ucenter?support=code"
          className="flex min-h-11 items-center justify-center gap-2 bg-warning-wash px-4 py-2 text-center text-small text-warning"
        >
          <span>
            <FormattedMessage id="app.viewed" />{" "}
            <span className="underline">
              <FormattedMessage id="app.viewed.see" />
            </span>
          </span>
        </Link>
      ) : null}
    </output>
  );
}

/** Returns true if `untilMs` is still in the future; re-renders when it passes. */
function useBefore(untilMs: number | null): boolean {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (untilMs === null) return;
    const timer = window.setTimeout(() => setNow(Date.now()), untilMs - Date.now() + 50);
    return () => window.clearTimeout(timer);
  }, [untilMs]);
  return untilMs !== null && untilMs > now;
}
