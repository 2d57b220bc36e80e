import { useState } from "react";
import type { Order } from "#api/contracts.ts";
import { stakeCoin } from "#core/contracts/stake.ts";
import { scaleOf } from "#core/money/coins.ts";
import { minorOf } from "#core/money/decimal.ts";
import { useText } from "#i18n/useText.ts";
import { Amount } from "#ui/figures/Amount.tsx";
import { lazyComponent } from "#web/lib/start/lazyComponent.tsx";
import { worldNowMs } from "#web/lib/worldClock.ts";

const ResultEnding = lazyComponent(
  () => import("#web/features/result/ResultEnding.tsx"),
  [],
  <div className="h-16" />,
);
/** A result is news this long, in world time; afterwards its ending is not played again. */
const freshMs = 10_000;

const minor = (text: string) => minorOf(text, scaleOf(stakeCoin));

/** How an order ended and what that did to the money; a win is told as calmly as a loss. */
export function ResultText({ order }: { order: Order }) {
  const t = useText();
  const [fresh] = useState(() => worldNowMs() - (order.settled_at_ms ?? 0) < freshMs);
  if (order.outcome === null || order.payout === null) return null;
  const amount = (value: bigint | string) => (
    <Amount key={String(value)} value={value} coin={order.coin} />
  );
  const values = {
    payout: amount(order.payout),
    profit: amount(minor(order.payout) - minor(order.stake)),
    charged: amount(minor(order.stake) + minor(order.fee)),
  };
  return (
    <div className="flex flex-col gap-2">
      {order.net === null ? null : (
        <ResultEnding
          outcome={order.outcome}
          title={t(`contracts.order.${order.outcome}`)}
          net={order.net}
          coin={order.coin}
          fresh={fresh}
        />
      )}
      <p className="text-small text-ink-soft">
        {order.void_reason ? `${t(`contracts.order.void.${order.void_reason}`)} ` : null}
        {t(`contracts.order.${order.outcome}Line`, values)}
      </p>
    </div>
  );
}
