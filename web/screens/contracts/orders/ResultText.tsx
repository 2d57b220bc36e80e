import type { Order } from "#api/contracts.ts";
import { stakeCoin } from "#core/contracts/stake.ts";
import { scaleOf } from "#core/money/coins.ts";
import { minorOf } from "#core/money/decimal.ts";
import { useText } from "#i18n/useText.ts";
import { Amount } from "#ui/figures/Amount.tsx";

const minor = (text: string) => minorOf(text, scaleOf(stakeCoin));

/** What the result did to the money, in a sentence; a win is worded as calmly as a loss. */
export function ResultText({ order }: { order: Order }) {
  const t = useText();
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
    <p className="text-small text-ink-soft">
      {order.void_reason ? `${t(`contracts.order.void.${order.void_reason}`)} ` : null}
      {t(`contracts.order.${order.outcome}Line`, values)}
    </p>
  );
}
