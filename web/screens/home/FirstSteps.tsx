import { useState } from "react";
import { lastUserId } from "#web/features/session/sessionCache.ts";
import { useSession } from "#web/features/session/useSession.ts";
import { lazyComponent } from "#web/lib/start/lazyComponent.tsx";
import { dismissSteps, storedSteps } from "#web/screens/home/steps/storage.ts";

const room = <div className="min-h-84 rounded-dock border border-line bg-leaf" />;

const StepsCard = lazyComponent(
  () => import("#web/screens/home/steps/StepsCard.tsx"),
  ["first-steps"],
  room,
);

/**
 * First steps for a newcomer. Loaded only while something is left to do; its space is reserved from
 * the first render.
 */
export function FirstSteps() {
  const { user, status } = useSession();
  const [away, setAway] = useState<string | null>(null);
  const userId = status === "loading" ? lastUserId() : (user?.user_id ?? null);
  if (userId === null || away === userId || storedSteps(userId) === "away") return null;
  return (
    <div className="mx-4 mt-4 min-h-84">
      {user ? (
        <StepsCard
          key={userId}
          user={user}
          onAway={() => {
            dismissSteps(userId);
            setAway(userId);
          }}
        />
      ) : (
        room
      )}
    </div>
  );
}
