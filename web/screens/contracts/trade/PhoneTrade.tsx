import { Suspense } from "react";
import { useWasOpened } from "#ui/overlay/useOpened.ts";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { deferredComponent } from "#web/lib/start/deferredComponent.tsx";
import { LazyRunningOrders } from "../orders/LazyRunningOrders.tsx";
import { PriceHeader } from "./PriceHeader.tsx";
import { TicketBar } from "./TicketBar.tsx";
import type { TradeView } from "./tradeView.ts";

const OrderCosts = deferredComponent(() => import("./OrderCosts.tsx"));
const loadFields = () => import("./TicketSheet.tsx");
const TicketSheet = deferredComponent(loadFields);
const loadConfirm = () => import("./ConfirmOrderSheet.tsx");
const ConfirmOrderSheet = deferredComponent(loadConfirm);

interface PhoneTradeProps {
  view: TradeView;
  fieldsOpen: boolean;
  onFields: (open: boolean) => void;
}

/** One column: price, running orders, chart, what an order costs; the ticket at the foot. */
export function PhoneTrade({ view, fieldsOpen, onFields }: PhoneTradeProps) {
  const { contract, ticket, orders, shownId, show, chart } = view;
  const confirming = ticket?.confirming ?? null;
  const fieldsOpened = useWasOpened(fieldsOpen, loadFields);
  const confirmOpened = useWasOpened(confirming !== null, loadConfirm);
  return (
    // Room for the ticket at the foot, which would cover the last lines.
    <div style={{ paddingBottom: 144 }}>
      <PriceHeader contract={contract} />
      <LazyRunningOrders
        orders={orders}
        shownId={shownId}
        onShow={show}
        onRepeat={(order) => ticket?.repeat(order)}
        showsAllSettled={false}
      />
      {chart(false)}
      {ticket ? (
        <>
          <TicketBar ticket={ticket} onFields={() => onFields(true)} />
          <Suspense fallback={<SkeletonRows count={5} />}>
            <OrderCosts details={contract} ticket={ticket} />
          </Suspense>
        </>
      ) : null}
      {ticket && fieldsOpened ? (
        <Suspense fallback={null}>
          <TicketSheet
            details={contract}
            ticket={ticket}
            open={fieldsOpen}
            onOpenChange={onFields}
          />
        </Suspense>
      ) : null}
      {ticket && confirming !== null && confirmOpened ? (
        <Suspense fallback={null}>
          <ConfirmOrderSheet
            details={contract}
            tier={ticket.tier}
            quote={ticket.quote}
            direction={confirming}
            onPlaced={show}
            onClose={ticket.dismiss}
          />
        </Suspense>
      ) : null}
    </div>
  );
}
