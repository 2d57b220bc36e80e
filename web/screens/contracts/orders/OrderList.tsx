import { type ReactNode, useEffect, useState } from "react";
import { useIntl } from "react-intl";
import type { Order } from "#api/contracts.ts";
import { getOrderList } from "#api/routes/contracts.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { useCall } from "#web/lib/useApiQuery.ts";
import { useSentence } from "#web/lib/useErrorMessage.ts";
import { OrderRow } from "./OrderRow.tsx";

const pageSize = 10;
/** A status changes with time alone, so a list of open orders is read again. */
const openRefreshMs = 5_000;

interface Filter {
  status: Order["status"];
  contractId: string | null;
}

function usePage({ status, contractId }: Filter, page: number, before?: string) {
  return useCall(
    getOrderList,
    {
      status,
      page,
      page_size: pageSize,
      ...(contractId === null ? {} : { contract_id: contractId }),
      ...(before === undefined ? {} : { before }),
    },
    { keepPrevious: true, ...(status === "over" ? {} : { refetchMs: openRefreshMs }) },
  );
}

/** Orders of one status, ten to a page, more on request; the cursor of the first page keeps the others in place. */
export function OrderList({ empty, ...filter }: Filter & { empty: ReactNode }) {
  const { formatMessage } = useIntl();
  const sentence = useSentence();
  const [pages, setPages] = useState(1);
  const [more, setMore] = useState<boolean | null>(null);
  const first = usePage(filter, 1);
  if (first.isError) {
    return (
      <div className="p-4">
        <ErrorNote onRetry={() => void first.refetch()}>{sentence(first.error)}</ErrorNote>
      </div>
    );
  }
  if (!first.data) return <SkeletonRows />;
  if (first.data.items.length === 0) return empty;
  const { before, items, has_more } = first.data;
  const hasMore = pages === 1 ? has_more : more === true;
  return (
    <>
      <div className="hairlines border-b border-line">
        {items.map((order) => (
          <OrderRow key={order.order_id} order={order} />
        ))}
        {Array.from({ length: pages - 1 }, (_, i) => i + 2).map((page) => (
          <LaterPage
            key={page}
            filter={filter}
            page={page}
            before={before}
            onMore={page === pages ? setMore : null}
          />
        ))}
      </div>
      {hasMore ? (
        <div className="flex justify-center py-4">
          <Button
            variant="outline"
            onClick={() => {
              setMore(null);
              setPages(pages + 1);
            }}
          >
            {formatMessage({ id: "contracts.orders.more" })}
          </Button>
        </div>
      ) : null}
    </>
  );
}

function LaterPage({
  filter,
  page,
  before,
  onMore,
}: {
  filter: Filter;
  page: number;
  before: string | null;
  onMore: ((more: boolean) => void) | null;
}) {
  const sentence = useSentence();
  const answer = usePage(filter, page, before ?? undefined);
  const hasMore = answer.data?.has_more;
  useEffect(() => {
    if (hasMore !== undefined) onMore?.(hasMore);
  }, [hasMore, onMore]);
  if (answer.isError) {
    return (
      <div className="p-4">
        <ErrorNote onRetry={() => void answer.refetch()}>{sentence(answer.error)}</ErrorNote>
      </div>
    );
  }
  if (!answer.data) return <SkeletonRows count={3} />;
  return answer.data.items.map((order) => <OrderRow key={order.order_id} order={order} />);
}
