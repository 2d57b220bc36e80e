import { IconListDetails } from "@tabler/icons-react";
import { Suspense, useRef, useState } from "react";
import type { ContractDetails, Order } from "#api/contracts.ts";
import { getContractDetails, getOrderList } from "#api/routes/contracts.ts";
import { useText } from "#i18n/useText.ts";
import { buttonClass } from "#ui/buttonClass.ts";
import { Empty } from "#ui/Empty.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { useWasOpened } from "#ui/overlay/useOpened.ts";
import { Page } from "#ui/Page.tsx";
import { Link } from "#ui/router.tsx";
import { Skeleton, SkeletonRows } from "#ui/Skeleton.tsx";
import { usePanes } from "#ui/useWide.ts";
import { useSession } from "#web/features/session/useSession.ts";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { deferredComponent } from "#web/lib/start/deferredComponent.tsx";
import { usePrice, useRecentPrices } from "#web/lib/stream.ts";
import { KlinePanel } from "../chart/KlinePanel.tsx";
import { FollowButton } from "../market/FollowButton.tsx";
import { useOrderUpdates } from "../orders/useOrderUpdates.ts";
import { usePersistentState } from "../usePersistentState.ts";
import { applyPrice } from "./applyPrice.ts";
import { buildOrderMark } from "./orderMark.ts";
import { PhoneTrade } from "./PhoneTrade.tsx";
import type { TradeView } from "./tradeView.ts";
import { useTicket } from "./useTicket.ts";
import { useTradeKeys } from "./useTradeKeys.ts";

const WideTrade = deferredComponent(() => import("./WideTrade.tsx"));
const loadKeys = () => import("./KeysSheet.tsx");
const KeysSheet = deferredComponent(loadKeys);

const refreshMs = 30_000;

/** `/business?contract_id=`: one contract with its chart, its running orders and the ticket. */
export default function TradePage({ contractId }: { contractId: string }) {
  const t = useText();
  const errorMessage = useErrorMessage();
  const details = useApiQuery(
    getContractDetails,
    { contract_id: contractId },
    { refetchMs: refreshMs },
  );
  if (details.data) return <Trade details={details.data} />;
  const title = contractId.toUpperCase().replace("-", "/");
  if (details.error?.error === "contracts.unknown") {
    return (
      <Page title={t("contracts.title")} back="/business">
        <Empty
          title={errorMessage(details.error)}
          action={
            <Link to="/business" className={buttonClass({ variant: "outline" })}>
              {t("contracts.orders.toMarkets")}
            </Link>
          }
        />
      </Page>
    );
  }
  return (
    <Page title={title} back="/business">
      {details.isError ? (
        <div className="p-4">
          <ErrorNote onRetry={() => void details.refetch()}>
            {errorMessage(details.error)}
          </ErrorNote>
        </div>
      ) : (
        <>
          <div className="px-4">
            <Skeleton width="10rem" height="2.5rem" />
            <Skeleton height="320px" className="mt-4" />
          </div>
          <SkeletonRows />
        </>
      )}
    </Page>
  );
}

const isBoolean = (value: unknown): value is boolean => typeof value === "boolean";

function Trade({ details }: { details: ContractDetails }) {
  const t = useText();
  const isWide = usePanes();
  const pushedPrice = usePrice(details.symbol);
  const contract = pushedPrice ? applyPrice(details, pushedPrice.price) : details;
  const orders = useOrdersHere(details.contract_id);
  const seconds = useRecentPrices(details.symbol);
  const marks = orders
    .filter(({ status }) => status !== "over")
    .flatMap((order) => buildOrderMark(order, seconds) ?? []);
  const [shownId, setShownId] = useState<string | null>(null);
  const [fieldsOpen, setFieldsOpen] = useState(false);
  const [keysOpen, setKeysOpen] = useState(false);
  const keysOpened = useWasOpened(keysOpen, loadKeys);
  const [keysOn, setKeysOn] = usePersistentState<boolean>("trade.keys", true, isBoolean);
  const box = useRef<HTMLDivElement>(null);
  const ticket = useTicket(contract, () => {
    if (isWide) box.current?.querySelector("input")?.focus();
    else setFieldsOpen(true);
  });
  useTradeKeys({ isOn: keysOn, ticket, openKeys: () => setKeysOpen(true) });
  const view: TradeView = {
    contract,
    ticket,
    orders,
    shownId,
    show: setShownId,
    chart: (fills) => (
      <KlinePanel
        contract={contract}
        orders={marks}
        fillsColumn={fills}
        onHelp={() => setKeysOpen(true)}
      />
    ),
  };
  return (
    <Page
      title={details.symbol}
      back="/business"
      full={isWide}
      actions={
        <>
          <FollowButton contract={details} />
          <Link
            to={`/business/orders?contract_id=${details.contract_id}`}
            aria-label={t("contracts.orders.title")}
            title={t("contracts.orders.title")}
            className="inline-grid size-11 place-items-center rounded-dock text-ink-soft hover:bg-well"
          >
            <IconListDetails size={20} aria-hidden="true" />
          </Link>
        </>
      }
    >
      {isWide ? (
        <Suspense fallback={<SkeletonRows />}>
          <WideTrade view={view} box={box} onKeys={() => setKeysOpen(true)} />
        </Suspense>
      ) : (
        <PhoneTrade view={view} fieldsOpen={fieldsOpen} onFields={setFieldsOpen} />
      )}
      {keysOpened ? (
        <Suspense fallback={null}>
          <KeysSheet
            open={keysOpen}
            onOpenChange={setKeysOpen}
            isOn={keysOn}
            onSwitch={setKeysOn}
          />
        </Suspense>
      ) : null}
    </Page>
  );
}

/**
 * Open orders of this contract, and those that ended while the page was open, so that a result does
 * not vanish. Newest first.
 */
function useOrdersHere(contractId: string): Order[] {
  const { status } = useSession();
  useOrderUpdates();
  const list = useApiQuery(
    getOrderList,
    { contract_id: contractId, page: 1, page_size: 20 },
    { enabled: status === "signed_in" },
  );
  const [watchedIds, setWatchedIds] = useState<ReadonlySet<string>>(new Set());
  const items = status === "signed_in" ? (list.data?.items ?? []) : [];
  const newOrders = items.filter(
    (order) => order.status !== "over" && !watchedIds.has(order.order_id),
  );
  if (newOrders.length > 0)
    setWatchedIds(new Set([...watchedIds, ...newOrders.map((order) => order.order_id)]));
  return items.filter((order) => order.status !== "over" || watchedIds.has(order.order_id));
}
