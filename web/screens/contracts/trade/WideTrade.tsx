import { type ReactNode, type Ref, Suspense } from "react";
import { cx } from "#ui/cx.ts";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { useMedia } from "#ui/useMedia.ts";
import { deferredComponent } from "#web/lib/start/deferredComponent.tsx";
import { LazyRunningOrders } from "../orders/LazyRunningOrders.tsx";
import { PriceHeader } from "./PriceHeader.tsx";
import { TicketPanel } from "./TicketPanel.tsx";
import type { TradeView } from "./tradeView.ts";
import { type AvailableSpace, useAvailableSpace } from "./useAvailableSpace.ts";

// For screens with room to spare.
const MarketColumn = deferredComponent(() => import("../market/MarketColumn.tsx"));
const OrderStory = deferredComponent(() => import("../orders/OrderStory.tsx"));

/** Below this height the chart keeps a fixed readable height and the page scrolls. */
const roomMin = 440;

interface WideTradeProps {
  view: TradeView;
  box: Ref<HTMLDivElement>;
  onKeys: () => void;
}

/**
 * Chart and orders on the left, the ticket on the right, as high as the window; on larger screens
 * the markets before them and the steps of an order behind.
 */
export default function WideTrade({ view, box, onKeys }: WideTradeProps) {
  const { contract, ticket, orders, shownId, show, chart } = view;
  const { ref, room } = useAvailableSpace<HTMLDivElement>();
  const height = room?.height ?? 0;
  const isHighEnough = height >= roomMin;
  const isLow = room !== null && !isHighEnough;
  const hasList = useMedia("(min-width: 96rem)");
  const hasStory = useMedia("(min-width: 110rem)");
  const isNarrow = useMedia("(max-width: 60rem)");
  const columns = cx(
    hasList && "240px",
    "minmax(0, 1fr)",
    isNarrow ? "296px" : "340px",
    hasStory && "300px",
  );
  const runningOrders = (
    <LazyRunningOrders
      orders={orders}
      shownId={shownId}
      onShow={show}
      onRepeat={(order) => ticket?.repeat(order)}
      showsAllSettled={!isLow}
    />
  );
  return (
    <div ref={ref} className="grid" style={{ gridTemplateColumns: columns }}>
      {hasList ? (
        <SideColumn room={room} className="border-r">
          <MarketColumn current={contract.contract_id} />
        </SideColumn>
      ) : null}
      <div
        className="flex min-w-0 flex-col"
        style={isHighEnough ? { height } : { minHeight: height }}
      >
        <PriceHeader contract={contract} inLine />
        {/* In a low window orders are above the chart as on a phone: below it no one would see them. */}
        {isLow ? runningOrders : null}
        {chart(true)}
        {isLow ? null : (
          <div
            className={isHighEnough ? "shrink-0 overflow-y-auto" : undefined}
            style={isHighEnough ? { maxHeight: "55%" } : undefined}
          >
            {runningOrders}
          </div>
        )}
      </div>
      <aside
        className="sticky flex flex-col self-start border-l border-line"
        style={{ top: room?.top, height }}
      >
        {ticket ? (
          <TicketPanel
            details={contract}
            ticket={ticket}
            box={box}
            onPlaced={show}
            onKeys={onKeys}
          />
        ) : null}
      </aside>
      {hasStory ? (
        <SideColumn room={room} className="border-l">
          <OrderStory order={orders.find(({ order_id }) => order_id === shownId) ?? orders[0]} />
        </SideColumn>
      ) : null}
    </div>
  );
}

/** A further column, as high as the window, that scrolls on its own. */
function SideColumn({
  room,
  className,
  children,
}: {
  room: AvailableSpace | null;
  className: string;
  children: ReactNode;
}) {
  return (
    <div
      className={cx("sticky self-start overflow-y-auto border-line", className)}
      style={{ top: room?.top, height: room?.height }}
    >
      <Suspense fallback={<SkeletonRows />}>{children}</Suspense>
    </div>
  );
}
