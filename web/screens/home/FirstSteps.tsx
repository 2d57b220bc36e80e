import { useState } from "react";
import { useSearchParams } from "#ui/router.tsx";
import { readLastUserId } from "#web/features/session/sessionCache.ts";
import { useSession } from "#web/features/session/useSession.ts";
import { lazyComponent } from "#web/lib/start/lazyComponent.tsx";
import { dismissSteps, readSteps } from "#web/screens/home/steps/storage.ts";

const room = <div className="min-h-84 rounded-dock border border-line bg-leaf" />;

const StepsCard = lazyComponent(
  () => import("#web/screens/home/steps/StepsCard.tsx"),
  ["first-steps"],
  room,
);

/**
 * The first ten minutes of a newcomer. Loaded only while something is left to do, or with `?steps=`
 * for people who dismissed it and want it back; its space is reserved from the first render.
 */
export function FirstSteps() {
  const { user, status } = useSession();
  const [query, setQuery] = useSearchParams();
  const [dismissedBy, setDismissedBy] = useState<string | null>(null);
  const isRequested = query.has("steps");
  const userId = status === "loading" ? readLastUserId() : (user?.user_id ?? null);
  if (userId === null) return null;
  if (!isRequested && (dismissedBy === userId || readSteps(userId) === "away")) return null;
  return (
    <div className="mx-4 mt-4 min-h-84">
      {user ? (
        <StepsCard
          key={userId}
          user={user}
          onAway={() => {
            dismissSteps(userId);
            setDismissedBy(userId);
            if (isRequested) setQuery({}, { replace: true });
          }}
        />
      ) : (
        room
      )}
    </div>
  );
}
