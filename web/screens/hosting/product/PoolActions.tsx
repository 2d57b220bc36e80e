import { lazy, Suspense, useState } from "react";
import type { Pool } from "#api/hosting.ts";
import { useText } from "#i18n/useText.ts";
import { ActionBar } from "#ui/ActionBar.tsx";
import { Button } from "#ui/Button.tsx";
import { useSession } from "#web/features/session/useSession.ts";

const SubscribeSheet = lazy(() => import("./SubscribeSheet.tsx"));
const RedeemSheet = lazy(() => import("./RedeemSheet.tsx"));

/** Subscribes and redeems, within reach wherever one reads. Costs and risk stand in the sheets. */
export function PoolActions({ pool }: { pool: Pool }) {
  const t = useText();
  const { status, signIn } = useSession();
  const [sheet, setSheet] = useState<"subscribe" | "redeem" | null>(null);
  const { mine } = pool;
  const close = () => setSheet(null);
  const holds = mine !== null && mine.units !== mine.units_blocked;
  if (pool.state !== "open" && !holds) return null;
  return (
    <>
      <ActionBar className="mt-8 flex gap-2">
        {pool.state === "open" ? (
          <Button block onClick={() => (status === "signed_in" ? setSheet("subscribe") : signIn())}>
            {t("hosting.subscribe")}
          </Button>
        ) : null}
        {holds ? (
          <Button block variant="outline" onClick={() => setSheet("redeem")}>
            {t("hosting.redeem")}
          </Button>
        ) : null}
      </ActionBar>
      <Suspense fallback={null}>
        {sheet === "subscribe" ? <SubscribeSheet pool={pool} onClose={close} /> : null}
        {sheet === "redeem" && mine ? (
          <RedeemSheet pool={pool} mine={mine} onClose={close} />
        ) : null}
      </Suspense>
    </>
  );
}
