import { Suspense, useId } from "react";
import { useIntl } from "react-intl";
import type { Order } from "#api/contracts.ts";
import { useText } from "#i18n/useText.ts";
import { cx } from "#ui/cx.ts";
import { Arrow } from "#ui/figures/Change.tsx";
import { countdownText } from "#ui/figures/Countdown.tsx";
import { formatNumber } from "#ui/figures/numbers.ts";
import { Link } from "#ui/router.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { deferredComponent } from "#web/lib/start/deferredComponent.tsx";
import { computeMove } from "./computeMove.ts";
import { SettledOrder } from "./SettledOrder.tsx";
import { useOrderPhase } from "./useOrderPhase.ts";

// Loaded when a card is first opened.
const OrderCard = deferredComponent(() => import("./OrderCard.tsx"));

export interface RunningOrdersProps {
  /** Open orders, and those that ended while the page was open, newest first. */
  orders: readonly Order[];
  /** The order whose card is open. */
  shownId: string | null;
  onShow: (orderId: string | null) => void;
  onRepeat: (order: Order) => void;
  /** True if there is room for every settled order rather than the newest. */
  showsAllSettled: boolean;
}

/**
 * The orders of this market: each running one as a chip in one strip, which opens its card; settled
 * ones folded to a line.
 */
export default function RunningOrders(props: RunningOrdersProps) {
  const { orders, shownId, onShow, onRepeat, showsAllSettled } = props;
  const t = useText();
  const cardId = useId();
  const openOrders = orders.filter(({ status }) => status !== "over");
  const shownOrder = orders.find(({ order_id }) => order_id === shownId);
  const settledOrders = orders.filter((order) => order.status === "over" && order !== shownOrder);
  const hasMore = settledOrders.length > 1 && !showsAllSettled;
  return (
    <section aria-label={t("contracts.orders.title")} className="border-y border-line">
      {openOrders.length > 0 ? (
        <ul
          aria-label={t("contracts.running.title")}
          className="flex gap-2 overflow-x-auto px-4 py-1 [scrollbar-width:none]"
        >
          {openOrders.map((order) => (
            <li key={order.order_id} className="shrink-0">
              <RunningChip
                order={order}
                isShown={order === shownOrder}
                cardId={cardId}
                onClick={() => onShow(order === shownOrder ? null : order.order_id)}
              />
            </li>
          ))}
        </ul>
      ) : null}
      <div id={cardId}>
        {shownOrder ? (
          <Suspense fallback={<Skeleton height="268px" />}>
            <OrderCard order={shownOrder} onRepeat={onRepeat} onFold={() => onShow(null)} />
          </Suspense>
        ) : null}
      </div>
      <div className="hairlines border-t border-line empty:hidden">
        {settledOrders.slice(0, showsAllSettled ? undefined : 1).map((order) => (
          <SettledOrder key={order.order_id} order={order} onRepeat={onRepeat} />
        ))}
      </div>
      {hasMore ? <MoreOrders order={settledOrders[0] as Order} /> : null}
    </section>
  );
}

function MoreOrders({ order }: { order: Order }) {
  const t = useText();
  return (
    <Link
      to={`/business/orders?contract_id=${order.contract_id}`}
      className="flex min-h-11 items-center px-4 text-small text-signal-ink hover:underline"
    >
      {t("contracts.running.all")}
    </Link>
  );
}

const shareStyle = {
  style: "percent",
  minimumFractionDigits: 3,
  maximumFractionDigits: 3,
  signDisplay: "exceptZero",
} as const;

/** Direction, time to delivery and the move so far. */
function RunningChip({
  order,
  isShown,
  cardId,
  onClick,
}: {
  order: Order;
  isShown: boolean;
  cardId: string;
  onClick: () => void;
}) {
  const t = useText();
  const { locale, formatNumber: formatShare } = useIntl();
  const { nowMs, seconds } = useOrderPhase(order);
  const { delivery_at_ms: deliveryMs, direction } = order;
  const price = seconds.findLast((second) => second.price !== null)?.price ?? null;
  const move = computeMove(order.purchase_price, price, order.price_scale);
  const moveText = move && `${move.sign > 0 ? "+" : ""}${formatNumber(move.text, locale)}`;
  // The move as a share of the price: a bare figure beside a stake reads as money won or lost.
  const share = move
    ? formatShare(Number(move.text) / Number(order.purchase_price), shareStyle).replace("-", "−")
    : "—";
  const remainingText = deliveryMs === null ? "–:––" : countdownText(deliveryMs - nowMs);
  return (
    <button
      type="button"
      onClick={onClick}
      aria-expanded={isShown}
      aria-controls={cardId}
      className={cx(
        "relative inline-flex min-h-11 items-center gap-2 rounded-dock border px-3 text-small whitespace-nowrap transition-colors hover:bg-leaf",
        isShown ? "border-ink bg-leaf" : "border-line-strong",
      )}
    >
      <span className="sr-only">
        {t("contracts.running.chip", {
          direction,
          left: remainingText,
          move: moveText ?? "—",
          stake: order.stake,
        })}
      </span>
      <span aria-hidden="true" className="contents">
        <span className={direction === "up" ? "text-rise" : "text-fall"}>
          <Arrow direction={direction === "up" ? 1 : -1} />
        </span>
        <span className="font-strong">{remainingText}</span>
        <span
          className={cx(
            move === null || move.sign === 0
              ? "text-ink-soft"
              : move.sign > 0
                ? "text-rise"
                : "text-fall",
          )}
        >
          {share}
        </span>
      </span>
    </button>
  );
}
