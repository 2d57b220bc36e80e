import { useState } from "react";
import { Link, useSearchParams } from "react-router";
import { getContractList } from "#api/routes/contracts.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { buttonClass } from "#ui/buttonClass.ts";
import { Chip } from "#ui/Chip.tsx";
import { EmptyDockDrawing, MooringDrawing } from "#ui/drawings.tsx";
import { Empty } from "#ui/Empty.tsx";
import { Page } from "#ui/Page.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { Tabs } from "#ui/Tabs.tsx";
import { useSession } from "#web/features/session/useSession.ts";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { OrderList } from "./orders/OrderList.tsx";
import { useOrderUpdates } from "./orders/useOrderUpdates.ts";

const statuses = ["waiting", "closing", "over"] as const;

/** `/business/orders`: the user's orders by status, of all contracts or one. */
export default function OrdersPage() {
  const t = useText();
  const { status: session, signIn } = useSession();
  const [query, setQuery] = useSearchParams();
  const [status, setStatus] = useState<(typeof statuses)[number]>("waiting");
  const contractId = query.get("contract_id");
  useOrderUpdates();
  return (
    <Page title={t("contracts.orders.title")} back="/business">
      {session === "loading" ? <SkeletonRows /> : null}
      {session === "signed_out" ? (
        <Empty
          drawing={<MooringDrawing />}
          title={t("contracts.orders.signIn")}
          action={<Button onClick={signIn}>{t("contracts.signIn")}</Button>}
        />
      ) : null}
      {session === "signed_in" ? (
        <>
          <MarketFilter
            value={contractId}
            onChange={(id) => setQuery(id === null ? {} : { contract_id: id }, { replace: true })}
          />
          <Tabs
            label={t("contracts.orders.status")}
            value={status}
            onChange={setStatus}
            tabs={statuses.map((value) => ({ value, label: t(`contracts.orders.${value}`) }))}
          >
            <OrderList
              key={`${status} ${contractId}`}
              status={status}
              contractId={contractId}
              empty={
                <Empty
                  drawing={<EmptyDockDrawing />}
                  title={t(`contracts.orders.none.${status}`)}
                  action={
                    <Link to="/business" className={buttonClass({ variant: "outline" })}>
                      {t("contracts.orders.toMarkets")}
                    </Link>
                  }
                />
              }
            />
          </Tabs>
        </>
      ) : null}
    </Page>
  );
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
      className="flex min-w-0 gap-2 overflow-x-auto px-4 py-1 [scrollbar-width:none] *:shrink-0"
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
