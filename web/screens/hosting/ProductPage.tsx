import { Suspense, useState } from "react";
import type { Pool } from "#api/hosting/pool.ts";
import type { Friction } from "#api/hosting/shapes.ts";
import { getProductList } from "#api/routes/hosting.ts";
import { useText } from "#i18n/useText.ts";
import { buttonClass } from "#ui/buttonClass.ts";
import { SpreadDrawing } from "#ui/drawings.tsx";
import { Empty } from "#ui/Empty.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Page } from "#ui/Page.tsx";
import { Link, useSearchParams } from "#ui/router.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { usePanes } from "#ui/useWide.ts";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { deferredComponent } from "#web/lib/start/deferredComponent.tsx";
import { OwnHolding } from "#web/screens/hosting/product/OwnHolding.tsx";
import { usePoolName } from "./figures.tsx";
import { Costs } from "./product/Costs.tsx";
import { DoneToday } from "./product/DoneToday.tsx";
import { FrictionDial } from "./product/FrictionDial.tsx";
import { NavChart } from "./product/NavChart.tsx";
import { PoolActions } from "./product/PoolActions.tsx";
import { PoolHeader } from "./product/PoolHeader.tsx";
import { Trades } from "./product/Trades.tsx";
import { refetchMs, useHostingUpdates } from "./useHostingUpdates.ts";

const AwaitedTrade = deferredComponent(() => import("./product/AwaitedTrade.tsx"));
const HistoryTest = deferredComponent(() => import("./product/HistoryTest.tsx"));

/**
 * `/ai/product?product_id=`: one pool with its value, the person's own part, what it did today, the
 * effect of friction, its costs and every trade; subscribing and redeeming stay in reach. The first
 * pool if there is no id.
 */
export default function ProductPage() {
  const t = useText();
  const errorMessage = useErrorMessage();
  const [query] = useSearchParams();
  const productId = query.get("product_id");
  useHostingUpdates();
  const list = useApiQuery(getProductList, productId ? { product_id: productId } : {}, {
    refetchMs,
  });
  const pool = list.data?.items[0];
  if (pool) return <PoolPage pool={pool} />;
  const unknown = list.data !== undefined || list.error?.error === "hosting.unknown";
  return (
    <Page title={t("hosting.product.title")} back="/ai">
      {unknown ? (
        <Empty
          drawing={<SpreadDrawing />}
          title={t("hosting.product.unknown")}
          action={
            <Link to="/ai" className={buttonClass({ variant: "outline" })}>
              {t("hosting.product.all")}
            </Link>
          }
        />
      ) : list.isError ? (
        <div className="p-4">
          <ErrorNote onRetry={() => void list.refetch()}>{errorMessage(list.error)}</ErrorNote>
        </div>
      ) : (
        <SkeletonRows count={8} />
      )}
    </Page>
  );
}

function PoolPage({ pool }: { pool: Pool }) {
  const { name } = usePoolName();
  const panes = usePanes();
  const [friction, setFriction] = useState<Friction>("realistic");
  const chart = <NavChart pool={pool} friction={friction} />;
  const dial = <FrictionDial pool={pool} friction={friction} onChange={setFriction} />;
  const ownHolding = <OwnHolding pool={pool} />;
  const test = (
    <Suspense fallback={null}>
      <HistoryTest pool={pool} />
    </Suspense>
  );
  const pictures = (
    <>
      {chart}
      {dial}
    </>
  );
  return (
    <Page title={name(pool.strategy)} back="/ai" side={panes ? pictures : undefined}>
      <PoolHeader pool={pool} />
      {/* The own holding or subscription, before the trades of the pool. */}
      {pool.mine ? ownHolding : null}
      {panes ? null : chart}
      {pool.mine ? null : ownHolding}
      <DoneToday pool={pool} />
      {panes ? null : dial}
      <Costs pool={pool} />
      {pool.trades === 0 && pool.strategy !== "hold" ? (
        <Suspense fallback={null}>
          <AwaitedTrade productId={pool.product_id} />
        </Suspense>
      ) : null}
      {pool.trades === 0 ? test : null}
      <Trades productId={pool.product_id} />
      {pool.trades === 0 ? null : test}
      <PoolActions pool={pool} />
    </Page>
  );
}
