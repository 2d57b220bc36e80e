import { IconDownload } from "@tabler/icons-react";
import { getOrderResults } from "#api/routes/contracts.ts";
import { getPoolResults } from "#api/routes/hosting.ts";
import { getLeaseResults } from "#api/routes/mining.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { DockDrawing } from "#ui/drawings.tsx";
import { Empty } from "#ui/Empty.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { useSearchParams } from "#ui/router.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { useHideAmounts } from "#web/lib/hideAmounts.tsx";
import { saveFile } from "#web/lib/saveFile.ts";
import { getWorldNowMs } from "#web/lib/worldClock.ts";
import { BeliefsPart } from "./BeliefsPart.tsx";
import { formatResultsCsv } from "./csv.ts";
import { LeasesPart } from "./LeasesPart.tsx";
import { OrdersPart } from "./OrdersPart.tsx";
import { PoolsPart } from "./PoolsPart.tsx";
import { SpanPicker } from "./SpanPicker.tsx";
import { parseSpan } from "./span.ts";

/** A person's results over any span: orders beside luck, leases beside their cost, pools. */
export default function PerformanceView() {
  const t = useText();
  const errorMessage = useErrorMessage();
  const [hidden] = useHideAmounts();
  const [query, setQuery] = useSearchParams();
  // Rounded to the day, because a span that moved every second would be fetched again every second.
  const span = parseSpan(query, getWorldNowMs());
  const offset = -new Date(span.bounds.to_ms ?? getWorldNowMs()).getTimezoneOffset();
  const orders = useApiQuery(
    getOrderResults,
    { ...span.bounds, offset_minutes: offset },
    { keepPrevious: true },
  );
  const leases = useApiQuery(getLeaseResults, span.bounds, { keepPrevious: true });
  const pools = useApiQuery(getPoolResults, span.bounds, { keepPrevious: true });
  const queries = [orders, leases, pools];
  const failed = queries.find(({ error, data }) => error && !data);
  const change = (changes: Record<string, string>) => {
    const next = new URLSearchParams({ do: "results", ...changes });
    setQuery(next, { replace: true });
  };
  const body = () => {
    if (failed) {
      return (
        <div className="p-4">
          <ErrorNote onRetry={() => void Promise.all(queries.map(({ refetch }) => refetch()))}>
            {errorMessage(failed.error)}
          </ErrorNote>
        </div>
      );
    }
    if (!orders.data || !leases.data || !pools.data) return <SkeletonRows count={8} />;
    const results = {
      orders: orders.data,
      leases: leases.data.items,
      pools: pools.data.items,
    };
    const count = results.orders.total.orders + results.leases.length + results.pools.length;
    if (hidden && count > 0) return <Empty title={t("wallet.history.hidden")} />;
    if (count === 0) {
      return (
        <Empty title={t("performance.none")} drawing={<DockDrawing />}>
          {t(span.preset === "all" ? "performance.none.ever" : "performance.none.span")}
        </Empty>
      );
    }
    return (
      <>
        {results.orders.total.orders > 0 ? (
          <OrdersPart results={results.orders} records={span.records} />
        ) : null}
        <div className="wide:grid wide:grid-cols-2 wide:items-start wide:gap-x-6 wide:*:mt-8!">
          {results.leases.length > 0 ? (
            <LeasesPart leases={results.leases} records={span.records} />
          ) : null}
          {results.pools.length > 0 ? (
            <PoolsPart pools={results.pools} records={span.records} />
          ) : null}
          <BeliefsPart />
        </div>
        <div className="p-4">
          <Button
            variant="outline"
            onClick={() => saveFile("drydock-results.csv", formatResultsCsv(results), "text/csv")}
          >
            <IconDownload size={20} aria-hidden="true" />
            {t("performance.export")}
          </Button>
        </div>
      </>
    );
  };
  return (
    <>
      <SpanPicker span={span} onChange={change} />
      {body()}
    </>
  );
}
