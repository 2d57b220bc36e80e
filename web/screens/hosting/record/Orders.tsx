import { useState } from "react";
import { useIntl } from "react-intl";
import type { HostingOrder } from "#api/hosting.ts";
import { getOrderList } from "#api/routes/hosting.ts";
import { EmptyDockDrawing } from "#ui/drawings.tsx";
import { Empty } from "#ui/Empty.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Amount } from "#ui/figures/Amount.tsx";
import { Row } from "#ui/Row.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { useCall } from "#web/lib/useApiQuery.ts";
import { useSentence } from "#web/lib/useErrorMessage.ts";
import { Figure, usePoolName, useWhen } from "../figures.tsx";
import { Pager, usePlace } from "../Pager.tsx";
import { OrderSheet } from "./OrderSheet.tsx";

const againMs = 3_000;

/** The orders of one state, newest first. */
export function Orders({ status }: { status: HostingOrder["status"] }) {
  const { formatMessage } = useIntl();
  const sentence = useSentence();
  const { name } = usePoolName();
  const when = useWhen();
  const [place, setPlace] = usePlace();
  const [opened, setOpened] = useState<HostingOrder | null>(null);
  const list = useCall(
    getOrderList,
    { status, page_size: 20, ...place },
    { refetchMs: againMs, keepPrevious: true },
  );
  if (list.isError && !list.data) {
    return (
      <div className="p-4">
        <ErrorNote onRetry={() => void list.refetch()}>{sentence(list.error)}</ErrorNote>
      </div>
    );
  }
  if (!list.data) return <SkeletonRows />;
  if (list.data.items.length === 0 && place.page === 1) {
    return (
      <Empty
        drawing={<EmptyDockDrawing />}
        title={formatMessage({ id: `hosting.record.none.${status}` })}
      />
    );
  }
  return (
    <>
      <div className="hairlines border-b border-line">
        {list.data.items.map((order) => (
          <Row
            key={order.order_id}
            label={formatMessage({ id: `hosting.order.${order.action}` })}
            hint={
              <>
                {name(order.strategy)}
                <br />
                {when(order.accepted_at_ms)}
              </>
            }
            value={
              order.amount === null ? (
                <Figure value={order.units ?? "0"} />
              ) : (
                <Amount value={order.payout ?? order.amount} coin={order.coin} />
              )
            }
            valueHint={formatMessage({ id: `hosting.order.${order.outcome ?? "waiting"}` })}
            onClick={() => setOpened(order)}
          />
        ))}
      </div>
      <Pager place={place} list={list.data} onGo={setPlace} />
      <OrderSheet order={opened} onClose={() => setOpened(null)} />
    </>
  );
}
