import { useState } from "react";
import type { HostingOrder } from "#api/hosting/order.ts";
import { getOrderList } from "#api/routes/hosting.ts";
import { useText } from "#i18n/useText.ts";
import { EmptyDockDrawing } from "#ui/drawings.tsx";
import { Empty } from "#ui/Empty.tsx";
import { Amount } from "#ui/figures/Amount.tsx";
import { Row } from "#ui/Row.tsx";
import { PagedList } from "#web/lib/api/PagedList.tsx";
import { useApiPages } from "#web/lib/api/useApiPages.ts";
import { Figure, useFormatWorldTime, usePoolName } from "../figures.tsx";
import { OrderSheet } from "./OrderSheet.tsx";

const refetchMs = 3_000;

interface OrdersProps {
  status: HostingOrder["status"];
  /** Null for all pools. */
  poolId: string | null;
}

/** The orders of one status, newest first. */
export function Orders({ status, poolId }: OrdersProps) {
  const t = useText();
  const { name } = usePoolName();
  const formatWorldTime = useFormatWorldTime();
  const [openedOrder, setOpenedOrder] = useState<HostingOrder | null>(null);
  const list = useApiPages(
    getOrderList,
    { status, page_size: 20, ...(poolId === null ? {} : { product_id: poolId }) },
    { refetchMs },
  );
  return (
    <>
      <PagedList
        list={list}
        keyOf={(order) => order.order_id}
        empty={
          <Empty
            drawing={<EmptyDockDrawing />}
            title={t(`hosting.record.none.${poolId === null ? status : "pool"}`)}
          />
        }
      >
        {(order) => (
          <Row
            label={t(`hosting.order.${order.action}`)}
            hint={
              <>
                {name(order.strategy)}
                <br />
                {formatWorldTime(order.accepted_at_ms)}
              </>
            }
            value={
              order.amount === null ? (
                <Figure value={order.units ?? "0"} />
              ) : (
                <Amount value={order.payout ?? order.amount} coin={order.coin} />
              )
            }
            valueHint={t(`hosting.order.${order.outcome ?? "waiting"}`)}
            onClick={() => setOpenedOrder(order)}
          />
        )}
      </PagedList>
      <OrderSheet order={openedOrder} onClose={() => setOpenedOrder(null)} />
    </>
  );
}
