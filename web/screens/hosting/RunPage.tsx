import { useState } from "react";
import type { Pool } from "#api/hosting/pool.ts";
import { getProductList } from "#api/routes/hosting.ts";
import { useText } from "#i18n/useText.ts";
import { Chip } from "#ui/Chip.tsx";
import { SpreadDrawing } from "#ui/drawings.tsx";
import { Empty } from "#ui/Empty.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Page } from "#ui/Page.tsx";
import { Row } from "#ui/Row.tsx";
import { useSearchParams } from "#ui/router.tsx";
import { Section } from "#ui/Section.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { buildPoolPath, Figure, Moved, usePoolName } from "./figures.tsx";
import { MarketDescription } from "./MarketDescription.tsx";
import { Trades } from "./product/Trades.tsx";
import { Books } from "./run/Books.tsx";
import { DecisionResult } from "./run/DecisionResult.tsx";
import { GapChart } from "./run/GapChart.tsx";
import { Inventory } from "./run/Inventory.tsx";
import { type RunView, useRun } from "./run/useRun.ts";

/**
 * `/robot-run-page`: a strategy at work, second by second: what it sees, and why it trades or not.
 */
export default function RunPage() {
  const t = useText();
  const errorMessage = useErrorMessage();
  const { name } = usePoolName();
  const [query, setQuery] = useSearchParams();
  const list = useApiQuery(getProductList, {}, { staleMs: 60_000 });
  const items = list.data?.items;
  const requestedId = query.get("product_id");
  const pool = items?.find(({ product_id: productId }) => productId === requestedId) ?? items?.[0];
  if (pool && items) {
    const choice = (
      <fieldset aria-label={t("hosting.pools")} className="flex flex-wrap gap-2 px-4 py-1">
        {items.map((item) => (
          <Chip
            key={item.product_id}
            selected={item === pool}
            onClick={() => setQuery({ product_id: item.product_id }, { replace: true })}
          >
            {name(item.strategy)}
          </Chip>
        ))}
      </fieldset>
    );
    return <Running key={pool.product_id} pool={pool} choice={choice} />;
  }
  return (
    <Page title={t("hosting.run.title")}>
      {list.isError ? (
        <div className="p-4">
          <ErrorNote onRetry={() => void list.refetch()}>{errorMessage(list.error)}</ErrorNote>
        </div>
      ) : list.data ? (
        <Empty drawing={<SpreadDrawing />} title={t("hosting.pools.none")} />
      ) : (
        <SkeletonRows count={8} />
      )}
    </Page>
  );
}

function Running({ pool, choice }: { pool: Pool; choice: React.ReactNode }) {
  const t = useText();
  const errorMessage = useErrorMessage();
  const view = useRun(pool.product_id);
  return (
    <Page
      title={t("hosting.run.title")}
      side={
        view.run ? (
          <>
            <Books run={view.run} />
            <Inventory run={view.run} />
          </>
        ) : undefined
      }
    >
      {choice}
      {view.run ? (
        <Observation view={view} run={view.run} pool={pool} />
      ) : view.error ? (
        <div className="p-4">
          <ErrorNote onRetry={view.retry}>{errorMessage(view.error)}</ErrorNote>
        </div>
      ) : (
        <SkeletonRows count={8} />
      )}
    </Page>
  );
}

function Observation({
  view,
  run,
  pool,
}: {
  view: RunView;
  run: NonNullable<RunView["run"]>;
  pool: Pool;
}) {
  const t = useText();
  const [paused, setPaused] = useState<RunView["gaps"] | null>(null);
  return (
    <>
      <p className="px-4 pt-2">{t(`hosting.${pool.strategy}_short`)}</p>
      <DecisionResult run={run} />
      <GapChart
        gaps={paused ?? view.gaps}
        isFrozen={paused !== null}
        onHold={() => setPaused(paused ? null : view.gaps)}
      />
      <Section>
        <Row
          label={t("hosting.nav")}
          value={run.nav === null ? t("hosting.no_mark") : <Figure value={run.nav} />}
        />
        <Row label={t("hosting.drawdown.now")} value={<Moved bp={run.drawdown_now_bp} />} />
        <Row label={t("hosting.trades")} value={run.trades} />
        <Row label={t("hosting.run.pool")} to={buildPoolPath(pool.product_id)} />
      </Section>
      <Trades productId={pool.product_id} last={5} />
      <div className="px-4 pt-4">
        <MarketDescription market={pool.market} />
      </div>
    </>
  );
}
