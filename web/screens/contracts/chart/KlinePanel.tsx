import {
  IconAdjustmentsHorizontal,
  IconChartLine,
  IconChevronsRight,
  IconMinus,
  IconPlus,
  IconTable,
} from "@tabler/icons-react";
import { lazy, Suspense, useId, useRef, useState } from "react";
import { useIntl } from "react-intl";
import type { Contract } from "#api/contracts.ts";
import { getKlineData } from "#api/routes/contracts.ts";
import type { Interval } from "#core/market/intervals.ts";
import { useText } from "#i18n/useText.ts";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { useOpened } from "#ui/overlay/useOpened.ts";
import { client } from "#web/lib/api/client.ts";
import { useKlineWatch, useStreamEvent } from "#web/lib/stream.ts";
import { usePersistentState } from "../usePersistentState.ts";
import { isIndicatorList, isInterval } from "./choices.ts";
import type { ChartController } from "./controller.ts";
import type { Focus } from "./focus.ts";
import { IntervalBar } from "./IntervalBar.tsx";
import { indicators as catalogue, type IndicatorName, paneHeight } from "./indicators.ts";
import { Legend, useKlineDescription } from "./Legend.tsx";
import type { OrderMark } from "./orders/orderGeometry.ts";

const KlineChart = lazy(() => import("./KlineChart.tsx"));
const KlineTable = lazy(() => import("./KlineTable.tsx"));
const loadIndicators = () => import("./IndicatorSheet.tsx");
const IndicatorSheet = lazy(loadIndicators);

export interface KlinePanelProps {
  contract: Contract;
  order: OrderMark | null;
  /** CSS height of the chart itself. */
  height: string;
}

const readPage =
  (contractId: string) =>
  (interval: Interval) =>
  async (beforeMs: number | null, limit: number, signal: AbortSignal) => {
    const input = {
      contract_id: contractId,
      interval,
      limit,
      ...(beforeMs === null ? {} : { before_ms: beforeMs }),
    };
    const { data } = await client.call(getKlineData, input, { signal });
    return data;
  };

/**
 * The price of one contract: as a chart with its legend and keys, or as a table of the same bars.
 */
export function KlinePanel({ contract, order, height }: KlinePanelProps) {
  const { locale } = useIntl();
  const t = useText();
  const [interval, setInterval] = usePersistentState<Interval>("chart.interval", "1m", isInterval);
  const [indicators, setIndicators] = usePersistentState<IndicatorName[]>(
    "chart.indicators",
    ["MA", "VOL"],
    isIndicatorList,
  );
  const [asTable, setAsTable] = useState(false);
  const [choosing, setChoosing] = useState(false);
  const chosen = useOpened(choosing, loadIndicators);
  const [focus, setFocus] = useState<Focus | null>(null);
  const [state, setState] = useState<"loading" | "ready" | "empty" | "failed">("loading");
  const controller = useRef<ChartController | null>(null);
  const errorMessage = useKlineDescription(contract.price_scale);
  // The height includes one pane below the price; each further pane adds its own, so that the price
  // keeps its space.
  const extraPanes = Math.max(0, indicators.filter((name) => catalogue[name].pane).length - 1);
  const hintId = useId();
  useKlineWatch(contract.contract_id);
  useStreamEvent("kline", (message) => {
    if (message.contract_id === contract.contract_id) controller.current?.pushMinute(message.kline);
  });

  const intervalBar = <IntervalBar value={interval} onChange={setInterval} />;
  return (
    <div>
      {asTable ? (
        <Suspense fallback={<div style={{ height }} />}>
          <KlineTable contract={contract} interval={interval} height={height} />
        </Suspense>
      ) : (
        <>
          <div className="px-4">
            <Legend focus={focus} scale={contract.price_scale} />
          </div>
          <div
            className="relative"
            style={{ height: `calc(${height} + ${extraPanes * paneHeight}px)` }}
          >
            <Suspense fallback={null}>
              <KlineChart
                contractId={contract.contract_id}
                symbol={contract.symbol}
                priceScale={contract.price_scale}
                locale={locale}
                interval={interval}
                indicators={indicators}
                order={order}
                readPage={readPage(contract.contract_id)}
                onChart={(chart) => {
                  controller.current = chart;
                }}
                onFocus={setFocus}
                onState={setState}
                label={t("contracts.chart.name", { symbol: contract.symbol, interval })}
                roleDescription={t("contracts.chart.role")}
                describedBy={hintId}
              />
            </Suspense>
            <ChartState state={state} onRetry={() => controller.current?.reload()} />
          </div>
          <Spoken
            id={hintId}
            contract={contract}
            chosen={focus?.chosen ? errorMessage(focus.bar) : ""}
          />
        </>
      )}
      <div className="px-4">
        {intervalBar}
        <div className="flex items-center justify-between">
          <div className="-ml-3 flex">
            <IconButton
              label={t("contracts.chart.indicators")}
              onClick={() => setChoosing(true)}
              disabled={asTable}
            >
              <IconAdjustmentsHorizontal size={20} aria-hidden="true" />
            </IconButton>
            <IconButton
              label={t(asTable ? "contracts.chart.chart" : "contracts.chart.table")}
              onClick={() => setAsTable(!asTable)}
            >
              {asTable ? (
                <IconChartLine size={20} aria-hidden="true" />
              ) : (
                <IconTable size={20} aria-hidden="true" />
              )}
            </IconButton>
          </div>
          {asTable ? null : (
            <div className="-mr-3 flex">
              <IconButton
                label={t("contracts.chart.zoomOut")}
                onClick={() => controller.current?.zoom(0.8)}
              >
                <IconMinus size={20} aria-hidden="true" />
              </IconButton>
              <IconButton
                label={t("contracts.chart.zoomIn")}
                onClick={() => controller.current?.zoom(1.25)}
              >
                <IconPlus size={20} aria-hidden="true" />
              </IconButton>
              <IconButton
                label={t("contracts.chart.newest")}
                onClick={() => controller.current?.toNewest()}
              >
                <IconChevronsRight size={20} aria-hidden="true" />
              </IconButton>
            </div>
          )}
        </div>
      </div>
      {chosen ? (
        <Suspense fallback={null}>
          <IndicatorSheet
            open={choosing}
            onOpenChange={setChoosing}
            value={indicators}
            onChange={setIndicators}
          />
        </Suspense>
      ) : null}
    </div>
  );
}

function ChartState({
  state,
  onRetry,
}: {
  state: "loading" | "ready" | "empty" | "failed";
  onRetry: () => void;
}) {
  const t = useText();
  if (state === "ready") return null;
  return (
    <div className="pointer-events-none absolute inset-0 grid place-items-center px-6 text-small text-ink-soft">
      {state === "failed" ? (
        <div className="pointer-events-auto">
          <ErrorNote onRetry={onRetry}>{t("contracts.chart.failed")}</ErrorNote>
        </div>
      ) : (
        <output>{t(`contracts.chart.${state}`)}</output>
      )}
    </div>
  );
}

/** Text for screen readers: the price and its change, the keys, and each bar selected by key. */
function Spoken({ id, contract, chosen }: { id: string; contract: Contract; chosen: string }) {
  const { formatNumber } = useIntl();
  const t = useText();
  const { symbol, price, change_24h_bp: bp } = contract;
  const summary =
    bp === null || price === null
      ? t("contracts.chart.summaryNoChange", { symbol, price: price ?? "—" })
      : t("contracts.chart.summary", {
          symbol,
          price,
          change: bp > 0 ? "up" : bp < 0 ? "down" : "none",
          percent: formatNumber(Math.abs(bp) / 10_000, {
            style: "percent",
            maximumFractionDigits: 2,
          }),
        });
  return (
    <>
      <p id={id} className="sr-only">
        {summary} {t("contracts.chart.keys")}
      </p>
      <p className="sr-only" aria-live="polite">
        {chosen}
      </p>
    </>
  );
}
