import { Suspense, useState } from "react";
import { useIntl } from "react-intl";
import type { Pool } from "#api/hosting/pool.ts";
import { useText } from "#i18n/useText.ts";
import { ActionBar } from "#ui/ActionBar.tsx";
import { Button } from "#ui/Button.tsx";
import { Amount } from "#ui/figures/Amount.tsx";
import { useSession } from "#web/features/session/useSession.ts";
import { deferredComponent } from "#web/lib/start/deferredComponent.tsx";
import { getWorldNowMs } from "#web/lib/worldClock.ts";

const SubscribeSheet = deferredComponent(() => import("./SubscribeSheet.tsx"));
const RedeemSheet = deferredComponent(() => import("./RedeemSheet.tsx"));

const minuteMs = 60_000;

/** A mark is taken at each full minute of the world; requests in between wait for it. */
const nextMarkMs = (nowMs: number) => (Math.floor(nowMs / minuteMs) + 1) * minuteMs;

/** Subscribes and redeems, within reach wherever one reads. Costs and risk are in the sheets. */
export function PoolActions({ pool }: { pool: Pool }) {
  const { formatTime } = useIntl();
  const t = useText();
  const { status, signIn } = useSession();
  const [sheet, setSheet] = useState<"subscribe" | "redeem" | null>(null);
  const { mine } = pool;
  const close = () => setSheet(null);
  const holds = mine !== null && mine.units !== mine.units_blocked;
  if (pool.state !== "open" && !holds) return null;
  return (
    <>
      <ActionBar className="mt-8 flex flex-wrap gap-2">
        {mine && mine.waiting !== "0" ? (
          <output className="w-full text-small">
            {t("hosting.subscribed", {
              amount: <Amount key="amount" value={mine.waiting} coin={pool.coin} />,
              time: formatTime(nextMarkMs(getWorldNowMs()), { timeStyle: "medium" }),
            })}
          </output>
        ) : null}
        {pool.state === "open" ? (
          <Button
            className="flex-[1_1_8rem]"
            onClick={() => (status === "signed_in" ? setSheet("subscribe") : signIn())}
          >
            {t("hosting.subscribe")}
          </Button>
        ) : null}
        {holds ? (
          <Button variant="outline" className="flex-[1_1_8rem]" onClick={() => setSheet("redeem")}>
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
