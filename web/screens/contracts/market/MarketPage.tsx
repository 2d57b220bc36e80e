import { IconListDetails, IconSearch } from "@tabler/icons-react";
import { Suspense, useState } from "react";
import { getContractList } from "#api/routes/contracts.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { Empty } from "#ui/Empty.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { TextInput } from "#ui/form/TextInput.tsx";
import { Page } from "#ui/Page.tsx";
import { Link } from "#ui/router.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { Tabs } from "#ui/Tabs.tsx";
import { usePanes } from "#ui/useWide.ts";
import { useSession } from "#web/features/session/useSession.ts";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useConfig } from "#web/lib/api/useConfig.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { deferredComponent } from "#web/lib/start/deferredComponent.tsx";
import { useChoice } from "#web/lib/useChoice.ts";
import { BinaryNote } from "../trade/BinaryNote.tsx";
import { MarketNote } from "../trade/MarketNote.tsx";
import { filterMarkets, type MarketType, marketTypes } from "./filterMarkets.ts";
import { MarketRow } from "./MarketRow.tsx";
import { SortBar } from "./SortBar.tsx";
import { marketSorts, sortMarkets } from "./sortMarkets.ts";

// Never loaded on phones.
const OpenOrders = deferredComponent(() => import("./OpenOrders.tsx"));

const refreshMs = 60_000;
/**
 * As many rows as a new world has contracts, so that content below the list does not shift when it
 * loads.
 */
const skeletonRows = 11;

/** The list of contracts: by type, by search, followed. */
export default function MarketPage() {
  const t = useText();
  const [type, setType] = useChoice("type", marketTypes, "all");
  const [query, setQuery] = useState("");
  const { status } = useSession();
  const panes = usePanes();
  const isOff = useConfig()?.contracts_on === false;
  return (
    <Page
      title={t("contracts.title")}
      side={
        <>
          {panes && status === "signed_in" ? (
            <Suspense fallback={<SkeletonRows count={2} />}>
              <OpenOrders />
            </Suspense>
          ) : null}
          <div className="mt-4 flex max-w-120 flex-col gap-4 px-4">
            <MarketNote />
            <BinaryNote />
          </div>
        </>
      }
      actions={
        <Link
          to="/business/orders"
          className="inline-flex min-h-11 items-center gap-1.5 rounded-dock px-2 text-small font-strong text-signal-ink hover:bg-signal-wash"
        >
          <IconListDetails size={20} aria-hidden="true" />
          {t("contracts.list.orders")}
        </Link>
      }
    >
      {isOff ? (
        <p className="mx-4 mt-1 mb-2 rounded-dock bg-warning-wash px-4 py-2.5 text-small text-warning">
          {t("contracts.ticket.off")}
        </p>
      ) : null}
      <div className="relative px-4 pt-1 pb-2">
        <IconSearch
          size={18}
          className="pointer-events-none absolute top-1/2 left-7 z-1 -translate-y-1/2 text-ink-faint"
          aria-hidden="true"
        />
        <TextInput
          type="search"
          value={query}
          onChange={setQuery}
          aria-label={t("contracts.list.search")}
          placeholder={t("contracts.list.search")}
          className="pl-10"
        />
      </div>
      <Tabs
        label={t("contracts.list.types")}
        value={type}
        onChange={setType}
        tabs={marketTypes.map((value) => ({ value, label: t(`contracts.list.${value}`) }))}
      >
        <MarketList type={type} query={query} />
      </Tabs>
    </Page>
  );
}

function MarketList({ type, query }: { type: MarketType; query: string }) {
  const t = useText();
  const { status, signIn } = useSession();
  const errorMessage = useErrorMessage();
  const [sort, setSort] = useChoice("sort", marketSorts, "listed");
  const asksSignIn = type === "followed" && status !== "signed_in";
  const list = useApiQuery(
    getContractList,
    { type },
    { refetchMs: refreshMs, enabled: !asksSignIn },
  );
  if (asksSignIn) {
    return (
      <Empty
        title={t("contracts.list.followedSignedOut")}
        action={<Button onClick={signIn}>{t("contracts.signIn")}</Button>}
      />
    );
  }
  if (list.isError) {
    return (
      <div className="p-4">
        <ErrorNote onRetry={() => void list.refetch()}>{errorMessage(list.error)}</ErrorNote>
      </div>
    );
  }
  const quotes = (
    <p className="px-4 py-2 text-caption text-ink-soft">{t("contracts.list.quotes")}</p>
  );
  const sortBar = <SortBar sort={sort} onChange={setSort} />;
  if (!list.data) {
    return (
      <>
        {type === "all" ? quotes : null}
        {sortBar}
        <SkeletonRows count={skeletonRows} tall />
      </>
    );
  }
  const matchingItems = sortMarkets(filterMarkets(list.data.items, query), sort);
  if (matchingItems.length === 0) {
    const title =
      query.trim() === ""
        ? t("contracts.list.noneFollowed")
        : t("contracts.list.noMatch", { query: query.trim() });
    return <Empty title={title} />;
  }
  return (
    <>
      {list.data.items.some(({ quote }) => quote === "USD") ? quotes : null}
      {sortBar}
      <ul className="hairlines border-b border-line">
        {matchingItems.map((contract) => (
          <MarketRow key={contract.contract_id} contract={contract} />
        ))}
      </ul>
    </>
  );
}
