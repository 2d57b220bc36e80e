import type { ReactNode } from "react";
import type { Order } from "#api/contracts.ts";
import { getOrderList } from "#api/routes/contracts.ts";
import { PagedList } from "#web/lib/api/PagedList.tsx";
import { useApiPages } from "#web/lib/api/useApiPages.ts";
import { OrderRow } from "./OrderRow.tsx";

/** Statuses change with time alone, so lists of open orders are refetched at this interval. */
const openRefreshMs = 5_000;

interface OrderListProps {
  status: Order["status"];
  contractId: string | null;
  empty: ReactNode;
  /**
   * Present when there is space beside the list: an order then opens there instead of in a sheet.
   */
  beside?: { orderId: string | null; show: (orderId: string) => void } | undefined;
}

/** Orders of one status, ten per page. */
export function OrderList({ status, contractId, empty, beside }: OrderListProps) {
  const list = useApiPages(
    getOrderList,
    { status, page_size: 10, ...(contractId === null ? {} : { contract_id: contractId }) },
    status === "over" ? {} : { refetchMs: openRefreshMs },
  );
  return (
    <PagedList list={list} keyOf={(order) => order.order_id} empty={empty}>
      {(order) => (
        <OrderRow
          order={order}
          isShown={beside?.orderId === order.order_id}
          onOpen={beside && (() => beside.show(order.order_id))}
        />
      )}
    </PagedList>
  );
}
