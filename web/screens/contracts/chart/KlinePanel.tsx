import { Suspense, useEffect, useId, useRef, useState } from "react";
import { useIntl } from "react-intl";
import type { Contract } from "#api/contracts.ts";
import { getKlineData } from "#api/routes/contracts.ts";
import type { Interval } from "#core/market/intervals.ts";
import { useText } from "#i18n/useText.ts";
import { cx } from "#ui/cx.ts";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { formatNumber as formatDecimal } from "#ui/figures/numbers.ts";
import { useWasOpened } from "#ui/overlay/useOpened.ts";
import { whenIdle } from "#ui/whenIdle.ts";
import { client } from "#web/lib/api/client.ts";
import { deferredComponent } from "#web/lib/start/deferredComponent.tsx";
import { useKlineWatch, useStreamEvent } from "#web/lib/stream.ts";
import { usePersistentState } from "../usePersistentState.ts";
import { ChartTools } from "./ChartTools.tsx";
import { type ChartKind, isChartKind, isIndicatorList, isInterval } from "./choices.ts";
import type { ChartController } from "./controller.ts";
import { readFirstBars } from "./firstBars.ts";
import type { Focus } from "./focus.ts";
import { IntervalBar } from "./IntervalBar.tsx";
import { indicators as catalogue, type IndicatorName, paneHeight } from "./indicators.ts";
import { AxisTitle, Legend, useKlineDescription } from "./Legend.tsx";
import type { OrderMark } from "./orders/orderGeometry.ts";
import type { RangeSummary } from "./summary.ts";
import { useRangeDescription } from "./useRangeDescription.ts";

const KlineChart = deferredComponent(() => import("./KlineChart.tsx"));
const KlineTable = deferredComponent(() => import("./KlineTable.tsx"));
const loadIndicators = () => import("./IndicatorSheet.tsx");
const IndicatorSheet = deferredComponent(loadIndicators);

export interface KlinePanelProps {
  contract: Contract;
  /** Open orders, newest first. */
  orders: readonly OrderMark[];
  /** True if the chart takes the height left in a flex column instead of a fixed height. */
  fillsColumn: boolean;
  onHelp: () => void;
}

/** CSS height of the chart where it does not fill a column; leaves room for Up and Down. */
const ownHeight = "clamp(200px, 42dvh, 380px)";
const tableHeight = "clamp(200px, 42dvh, 420px)";

const readPage =
  (contractId: string) =>
  (interval: Interval) =>
  async (beforeMs: number | null, limit: number, signal: AbortSignal) => {
    if (beforeMs === null) return readFirstBars(contractId, interval);
    const input = { contract_id: contractId, interval, limit, before_ms: beforeMs };
    return (await client.call(getKlineData, input, { signal })).data;
  };

/**
 * The price of one contract: as a line or bars with keys, tools and a sentence that summarises what
 * is visible, or as a table of the same bars.
 */
export function KlinePanel({ contract, orders, fillsColumn, onHelp }: KlinePanelProps) {
  const { locale } = useIntl();
  const t = useText();
  const [interval, setInterval] = usePersistentState<Interval>("chart.interval", "1m", isInterval);
  const [kind, setKind] = usePersistentState<ChartKind>("chart.kind", "line", isChartKind);
  const [indicators, setIndicators] = usePersistentState<IndicatorName[]>(
    "chart.indicators",
    [],
    isIndicatorList,
  );
  // The chart's code is the largest part of the screen: price and ticket come first.
  const [isDue, setIsDue] = useState(false);
  useEffect(() => whenIdle(() => setIsDue(true)), []);
  const [isTable, setIsTable] = useState(false);
  const [isChoosing, setIsChoosing] = useState(false);
  const hasOpened = useWasOpened(isChoosing, loadIndicators);
  const [focus, setFocus] = useState<Focus | null>(null);
  const [range, setRange] = useState<RangeSummary | null>(null);
  const [announcement, setAnnouncement] = useState("");
  const [state, setState] = useState<"loading" | "ready" | "empty" | "failed">("loading");
  // Without bars the chart's axis would have made-up prices.
  const [isDrawn, setIsDrawn] = useState(false);
  const controller = useRef<ChartController | null>(null);
  const describeBar = useKlineDescription(contract.price_scale);
  const ofRange = useRangeDescription(contract.price_scale);
  // The height includes one pane below the price; each further pane adds its own, so that the price
  // keeps its space.
  const extraPanes = Math.max(0, indicators.filter((name) => catalogue[name].pane).length - 1);
  const captionId = useId();
  const hintId = useId();
  useKlineWatch(contract.contract_id);
  useStreamEvent("kline", (message) => {
    if (message.contract_id === contract.contract_id) controller.current?.pushMinute(message.kline);
  });

  return (
    <figure className={cx(fillsColumn && "flex min-h-0 flex-1 flex-col")}>
      {isTable ? (
        <Suspense fallback={<div style={{ height: tableHeight }} />}>
          <KlineTable contract={contract} interval={interval} height={tableHeight} />
        </Suspense>
      ) : (
        <div
          className={cx("relative", fillsColumn && "flex-1")}
          style={
            fillsColumn
              ? { minHeight: 180 }
              : { height: `calc(${ownHeight} + ${extraPanes * paneHeight}px)` }
          }
        >
          <Suspense fallback={null}>
            {isDue ? (
              <KlineChart
                contractId={contract.contract_id}
                symbol={contract.symbol}
                priceScale={contract.price_scale}
                locale={locale}
                interval={interval}
                kind={kind}
                indicators={indicators}
                orders={orders}
                readPage={readPage(contract.contract_id)}
                onChart={(chart) => {
                  controller.current = chart;
                }}
                onFocus={(next) => {
                  setFocus(next);
                  if (next?.isChosen) setAnnouncement(describeBar(next.bar));
                }}
                onRange={(summary, isAsked) => {
                  setRange(summary);
                  if (isAsked && summary) setAnnouncement(ofRange.describe(summary));
                }}
                onState={(next) => {
                  setState(next);
                  if (next === "ready") setIsDrawn(true);
                }}
                isHidden={!isDrawn}
                label={t("contracts.chart.name", { symbol: contract.symbol, interval })}
                roleDescription={t("contracts.chart.role")}
                describedBy={`${captionId} ${hintId}`}
              />
            ) : null}
          </Suspense>
          {focus?.isChosen ? (
            <Legend focus={focus} scale={contract.price_scale} kind={kind} />
          ) : isDrawn ? (
            <AxisTitle symbol={contract.symbol} />
          ) : null}
          <ChartState state={state} onRetry={() => controller.current?.reload()} />
        </div>
      )}
      <Announcements
        id={hintId}
        contract={contract}
        orders={orders.length}
        announcement={announcement}
      />
      <ChartTools
        controller={controller}
        kind={kind}
        onKind={setKind}
        isTable={isTable}
        onTable={setIsTable}
        onIndicators={() => setIsChoosing(true)}
        onHelp={onHelp}
      >
        <IntervalBar value={interval} onChange={setInterval} />
      </ChartTools>
      <figcaption id={captionId} className="px-4 pb-2 text-caption text-ink-faint">
        {range && !isTable ? (
          <>
            <span aria-hidden="true">{ofRange.brief(range)}</span>
            <span className="sr-only">{ofRange.describe(range)}</span>
          </>
        ) : null}
      </figcaption>
      {hasOpened ? (
        <Suspense fallback={null}>
          <IndicatorSheet
            open={isChoosing}
            onOpenChange={setIsChoosing}
            value={indicators}
            onChange={setIndicators}
          />
        </Suspense>
      ) : null}
    </figure>
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

/**
 * Text for screen readers: the price and its change, the orders drawn, the keys, and each bar or
 * range selected by key.
 */
function Announcements({
  id,
  contract,
  orders,
  announcement,
}: {
  id: string;
  contract: Contract;
  orders: number;
  announcement: string;
}) {
  const { locale, formatNumber } = useIntl();
  const t = useText();
  const { symbol, change_24h_bp: bp } = contract;
  const price =
    contract.price === null ? null : formatDecimal(contract.price, locale, contract.price_scale);
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
        {summary} {t("contracts.chart.openOrders", { count: orders })} {t("contracts.chart.keys")}
      </p>
      <p className="sr-only" aria-live="polite">
        {announcement}
      </p>
    </>
  );
}
