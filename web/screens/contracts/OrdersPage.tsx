import { useState } from "react";
import { getContractList, getOrderList } from "#api/routes/contracts.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { buttonClass } from "#ui/buttonClass.ts";
import { Chip } from "#ui/Chip.tsx";
import { EmptyDockDrawing, MooringDrawing } from "#ui/drawings.tsx";
import { Empty } from "#ui/Empty.tsx";
import { Page } from "#ui/Page.tsx";
import { Link, useSearchParams } from "#ui/router.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { Tabs } from "#ui/Tabs.tsx";
import { usePanes } from "#ui/useWide.ts";
import { useSession } from "#web/features/session/useSession.ts";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { lazyComponent } from "#web/lib/start/lazyComponent.tsx";
import { findMostCommonStatus, type Status, statuses } from "./orders/mostCommonStatus.ts";
import { OrderList } from "./orders/OrderList.tsx";
import { useOrderUpdates } from "./orders/useOrderUpdates.ts";

const OrderView = lazyComponent(() => import("./orders/OrderView.tsx"), ["contracts"]);

/**
 * `/business/orders?status=&contract_id=&order_id=`: the user's orders by status, of all contracts
 * or one. Without a status it shows the one with the most orders. The order of `order_id` is shown
 * beside the list, or alone where there is no room for both.
 */
export default function OrdersPage() {
  const t = useText();
  const { status: session } = useSession();
  const panes = usePanes() && session === "signed_in";
  const [query, setQuery] = useSearchParams();
  const orderId = query.get("order_id");
  const contractId = query.get("contract_id");
  const chosenStatus = statuses.find((item) => item === query.get("status"));
  const fullestStatus = useFullestStatus(
    contractId,
    session === "signed_in" && chosenStatus === undefined,
  );
  const status = chosenStatus ?? fullestStatus;
  const changeQuery = (changes: {
    contract_id?: string | null;
    status?: string;
    order_id?: string;
  }) => {
    const next = new URLSearchParams(query);
    for (const [name, value] of Object.entries(changes)) {
      if (value === null) next.delete(name);
      else next.set(name, value);
    }
    setQuery(next, { replace: true });
  };
  useOrderUpdates();
  if (orderId !== null && session === "signed_in" && !panes) {
    return (
      <Page title={t("contracts.order.details")} back="/business/orders">
        <OrderView key={orderId} orderId={orderId} />
      </Page>
    );
  }
  return (
    <Page
      title={t("contracts.orders.title")}
      back="/business"
      side={
        !panes ? undefined : orderId === null ? (
          <Empty drawing={<EmptyDockDrawing />} title={t("contracts.orders.choose")} />
        ) : (
          <OrderView key={orderId} orderId={orderId} />
        )
      }
    >
      {session === "loading" ? <SkeletonRows /> : null}
      {session === "signed_out" ? <SignedOut /> : null}
      {session === "signed_in" ? (
        <>
          <MarketFilter value={contractId} onChange={(id) => changeQuery({ contract_id: id })} />
          {status === null ? (
            <SkeletonRows />
          ) : (
            <Tabs
              label={t("contracts.orders.status")}
              value={status}
              onChange={(next) => changeQuery({ status: next })}
              tabs={statuses.map((value) => ({ value, label: t(`contracts.orders.${value}`) }))}
            >
              <OrderList
                key={`${status} ${contractId}`}
                status={status}
                contractId={contractId}
                beside={
                  panes ? { orderId, show: (id) => changeQuery({ order_id: id }) } : undefined
                }
                empty={<NoOrders status={status} />}
              />
            </Tabs>
          )}
        </>
      ) : null}
    </Page>
  );
}

function SignedOut() {
  const t = useText();
  const { signIn } = useSession();
  return (
    <Empty
      drawing={<MooringDrawing />}
      title={t("contracts.orders.signIn")}
      action={<Button onClick={signIn}>{t("contracts.signIn")}</Button>}
    />
  );
}

function NoOrders({ status }: { status: Status }) {
  const t = useText();
  return (
    <Empty
      drawing={<EmptyDockDrawing />}
      title={t(`contracts.orders.none.${status}`)}
      action={
        <Link to="/business" className={buttonClass({ variant: "outline" })}>
          {t("contracts.orders.toMarkets")}
        </Link>
      }
    />
  );
}

/**
 * The tab that holds most of the newest orders, for a visit that names none: an empty tab beside
 * full ones says nothing. Determined once, so that the tab does not change under the reader. Null
 * while it is unknown.
 */
function useFullestStatus(contractId: string | null, enabled: boolean): Status | null {
  const { data, isError } = useApiQuery(
    getOrderList,
    { page: 1, page_size: 50, ...(contractId === null ? {} : { contract_id: contractId }) },
    { enabled, staleMs: Number.POSITIVE_INFINITY },
  );
  const [fullestStatus, setFullestStatus] = useState<Status | null>(null);
  if (fullestStatus === null && (data || isError))
    setFullestStatus(findMostCommonStatus(data?.items ?? []));
  return fullestStatus;
}

function MarketFilter({
  value,
  onChange,
}: {
  value: string | null;
  onChange: (id: string | null) => void;
}) {
  const t = useText();
  const list = useApiQuery(getContractList, { type: "all" });
  return (
    <fieldset
      aria-label={t("contracts.orders.filter")}
      className="flex min-w-0 gap-2 overflow-x-auto px-4 py-1 [scrollbar-width:none] *:shrink-0 min-[80rem]:[scrollbar-width:thin]"
    >
      <Chip selected={value === null} onClick={() => onChange(null)}>
        {t("contracts.orders.anyMarket")}
      </Chip>
      {list.data?.items.map((contract) => (
        <Chip
          key={contract.contract_id}
          selected={contract.contract_id === value}
          onClick={() => onChange(contract.contract_id)}
        >
          {contract.symbol}
        </Chip>
      ))}
    </fieldset>
  );
}
