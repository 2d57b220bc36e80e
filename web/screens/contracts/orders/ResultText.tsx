import { useState } from "react";
import type { Order } from "#api/contracts.ts";
import { useText } from "#i18n/useText.ts";
import { Amount } from "#ui/figures/Amount.tsx";
import { PriceText } from "#ui/figures/PriceText.tsx";
import { lazyComponent } from "#web/lib/start/lazyComponent.tsx";
import { getWorldNowMs } from "#web/lib/worldClock.ts";
import { computeMove } from "./computeMove.ts";

const ResultEnding = lazyComponent(
  () => import("#web/features/result/ResultEnding.tsx"),
  [],
  <div className="h-16" />,
);
/** A result is news this long, in world time; afterwards its ending is not played again. */
const freshMs = 10_000;

/**
 * How an order ended, why, and what that did to the money; a win is stated as calmly as a loss. The
 * reason is the average: a line that ends on one side of the start can settle on the other.
 */
export function ResultText({ order }: { order: Order }) {
  const t = useText();
  const [isFresh] = useState(() => getWorldNowMs() - (order.settled_at_ms ?? 0) < freshMs);
  if (order.outcome === null || order.payout === null) return null;
  const move = computeMove(order.purchase_price, order.selling_price, order.price_scale);
  return (
    <div className="flex flex-col gap-2">
      {order.net === null ? null : (
        <ResultEnding
          outcome={order.outcome}
          title={t(`contracts.order.${order.outcome}`)}
          net={order.net}
          coin={order.coin}
          isNew={isFresh}
        />
      )}
      <p className="text-small text-ink-soft">
        {order.void_reason ? `${t(`contracts.order.void.${order.void_reason}`)} ` : null}
        {move && order.outcome !== "void"
          ? t("contracts.order.average", {
              seconds: order.window_seconds,
              by: (
                <PriceText key="by" value={move.text.replace("-", "")} scale={order.price_scale} />
              ),
              side: move.sign > 0 ? "above" : move.sign < 0 ? "below" : "equal",
            })
          : null}{" "}
        {order.outcome === "won" || order.outcome === "lost"
          ? null
          : t(`contracts.order.${order.outcome}Line`, {
              payout: <Amount key="payout" value={order.payout} coin={order.coin} />,
            })}
      </p>
    </div>
  );
}
