import type { Ref } from "react";
import { LazyRunningOrders } from "../orders/LazyRunningOrders.tsx";
import { PriceHeader } from "./PriceHeader.tsx";
import { TicketPanel } from "./TicketPanel.tsx";
import type { TradeView } from "./tradeView.ts";
import { useRoom } from "./useRoom.ts";

/** Below this height the chart keeps a readable height of its own and the page scrolls. */
const roomMin = 440;

interface WideTradeProps {
  view: TradeView;
  box: Ref<HTMLDivElement>;
  onKeys: () => void;
}

/** Chart and orders on the left, the ticket on the right, as high as the window. */
export default function WideTrade({ view, box, onKeys }: WideTradeProps) {
  const { contract, ticket, orders, shownId, show, chart } = view;
  const { ref, room } = useRoom<HTMLDivElement>();
  const height = room?.height ?? 0;
  const fits = height >= roomMin;
  return (
    <div
      ref={ref}
      className="grid grid-cols-[minmax(0,1fr)_minmax(260px,340px)] max-[60rem]:grid-cols-[minmax(0,1fr)_272px]"
    >
      <div className="flex min-w-0 flex-col" style={fits ? { height } : { minHeight: height }}>
        <PriceHeader contract={contract} inLine />
        {chart(true)}
        <div className={fits ? "max-h-[55%] shrink-0 overflow-y-auto" : undefined}>
          <LazyRunningOrders
            orders={orders}
            shownId={shownId}
            onShow={show}
            onRepeat={(order) => ticket?.repeat(order)}
            allSettled
          />
        </div>
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
    </div>
  );
}
