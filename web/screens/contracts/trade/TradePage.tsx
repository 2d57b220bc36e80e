import { IconListDetails } from "@tabler/icons-react";
import { lazy, Suspense, useState } from "react";
import { Link } from "react-router";
import type { ContractDetails, Order } from "#api/contracts.ts";
import { getContractDetails, getOrderList } from "#api/routes/contracts.ts";
import { useText } from "#i18n/useText.ts";
import { buttonClass } from "#ui/buttonClass.ts";
import { Empty } from "#ui/Empty.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Page } from "#ui/Page.tsx";
import { Section } from "#ui/Section.tsx";
import { Skeleton, SkeletonRows } from "#ui/Skeleton.tsx";
import { useWide } from "#ui/useWide.ts";
import { useSession } from "#web/features/session/useSession.ts";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { usePrice, useRecentPrices } from "#web/lib/stream.ts";
import { KlinePanel } from "../chart/KlinePanel.tsx";
import { FollowButton } from "../market/FollowButton.tsx";
import { useOrderUpdates } from "../orders/useOrderUpdates.ts";
import { markOf } from "./markOf.ts";
import { OrderForm } from "./OrderForm.tsx";
import { PriceHeader } from "./PriceHeader.tsx";
import { TradeNotes } from "./TradeNotes.tsx";

// Loaded with the first order, which most visits never have.
const OrderCard = lazy(() => import("../orders/OrderCard.tsx"));

const refreshMs = 30_000;

/** `/business?contract_id=`: one contract with its chart, its open orders and the ticket. */
export function TradePage({ contractId }: { contractId: string }) {
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

function Trade({ details }: { details: ContractDetails }) {
  const t = useText();
  const wide = useWide();
  const [placed, setPlaced] = useState<string | null>(null);
  const pushed = usePrice(details.symbol);
  const price = pushed ? pushed.price : details.price;
  const contract = { ...details, price };
  const orders = useOrdersHere(details.contract_id);
  const seconds = useRecentPrices(details.symbol);
  const drawn = orders.find((order) => order.status !== "over" && order.entry_at_ms !== null);
  const chart = (
    <KlinePanel
      contract={contract}
      order={drawn ? markOf(drawn, seconds) : null}
      height={wide ? "min(620px, calc(100dvh - 220px))" : "clamp(240px, 42dvh, 380px)"}
    />
  );
  return (
    <Page
      title={details.symbol}
      back="/business"
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
      side={wide ? chart : undefined}
    >
      <PriceHeader contract={contract} />
      {wide ? null : chart}
      {orders.length > 0 ? (
        <Section title={t("contracts.orders.title")} className="mt-3!">
          <Suspense fallback={<SkeletonRows count={2} />}>
            {orders.map((order) => (
              <OrderCard key={order.order_id} order={order} arrives={order.order_id === placed} />
            ))}
          </Suspense>
        </Section>
      ) : null}
      <OrderForm details={contract} onPlaced={setPlaced} />
      <TradeNotes details={contract} />
    </Page>
  );
}

/**
 * Open orders of this contract, and those that ended while the page was open, so that a result does
 * not vanish.
 */
function useOrdersHere(contractId: string): Order[] {
  const { status } = useSession();
  useOrderUpdates();
  const list = useApiQuery(
    getOrderList,
    { contract_id: contractId, page: 1, page_size: 20 },
    { enabled: status === "signed_in" },
  );
  const [watched, setWatched] = useState<ReadonlySet<string>>(new Set());
  const items = status === "signed_in" ? (list.data?.items ?? []) : [];
  const fresh = items.filter((order) => order.status !== "over" && !watched.has(order.order_id));
  if (fresh.length > 0) setWatched(new Set([...watched, ...fresh.map((order) => order.order_id)]));
  return items.filter((order) => order.status !== "over" || watched.has(order.order_id));
}
