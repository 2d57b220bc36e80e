import { useEffect, useState } from "react";
import { lazyPart } from "#web/app/lazyPart.tsx";
import { useSession } from "#web/app/session/useSession.ts";
import { keepRoom, putStepsAway, rememberedSteps, roomIsKept } from "#web/home/steps/memory.ts";

const StepsCard = lazyPart(() => import("#web/home/steps/StepsCard.tsx"), ["steps"]);

/** For a newcomer: what to do once. Loaded only by who has something left to do; its room is kept meanwhile. */
export function FirstSteps() {
  const { user, status } = useSession();
  const [away, setAway] = useState<string | null>(null);
  const shown = user !== null && away !== user.user_id && rememberedSteps(user.user_id) !== "away";
  useEffect(() => {
    if (status !== "loading") keepRoom(shown);
  }, [status, shown]);
  if (status === "loading" && roomIsKept()) return <div className="mx-4 mt-4 min-h-84" />;
  if (!shown) return null;
  return (
    <div className="mx-4 mt-4 min-h-84">
      <StepsCard
        key={user.user_id}
        user={user}
        onAway={() => {
          putStepsAway(user.user_id);
          setAway(user.user_id);
        }}
      />
    </div>
  );
}
