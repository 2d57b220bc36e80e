import type { Order } from "#api/contracts.ts";
import { useText } from "#i18n/useText.ts";
import { Arrow } from "#ui/figures/Change.tsx";

/** "BTC/USDT up": symbol and direction, with an arrow. */
export function OrderHeading({ order }: { order: Pick<Order, "symbol" | "direction"> }) {
  const t = useText();
  const up = order.direction === "up";
  return (
    <span className="inline-flex items-center gap-2 font-strong">
      {order.symbol}
      <span
        className={
          up
            ? "inline-flex items-center gap-1 text-rise"
            : "inline-flex items-center gap-1 text-fall"
        }
      >
        <Arrow direction={up ? 1 : -1} />
        {t(`contracts.order.${order.direction}`)}
      </span>
    </span>
  );
}
