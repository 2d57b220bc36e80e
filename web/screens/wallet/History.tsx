import { useMemo, useState } from "react";
import { useIntl } from "react-intl";
import { getWalletHistory } from "#api/routes/wallet.ts";
import { type Coin, coinScale } from "#core/money/coins.ts";
import { toMinorUnits } from "#core/money/decimal.ts";
import { type HistoryRange, historyRangeNames } from "#core/wallet/balanceHistory.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Amount } from "#ui/figures/Amount.tsx";
import { Arrow } from "#ui/figures/Change.tsx";
import { shortWorth } from "#ui/figures/shortAmount.ts";
import { Segmented } from "#ui/form/Segmented.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { HideableAmount } from "#web/lib/hideAmounts.tsx";
import { HistoryTable } from "./HistoryTable.tsx";
import { TotalChart } from "./TotalChart.tsx";

type Points = readonly (readonly [number, string | null])[];

export interface HistoryProps {
  display: Coin;
  isHidden: boolean;
  /** An attempt other than the current one. */
  attemptId?: string;
  /** The live total and its time: the chart's last point until the next fetch. */
  now?: readonly [number, string | null] | null;
  /** The initial range. */
  first?: HistoryRange;
}

/** A wallet's value over time, as a chart that can be read point by point, and as a table. */
export function History({ display, isHidden, attemptId, now, first = "day" }: HistoryProps) {
  const t = useText();
  const errorMessage = useErrorMessage();
  const [range, setRange] = useState<HistoryRange>(first);
  const [isTable, setIsTable] = useState(false);
  const query = useApiQuery(
    getWalletHistory,
    {
      range,
      display_currency: display,
      ...(attemptId === undefined ? {} : { attempt_id: attemptId }),
    },
    { keepPrevious: true, refetchMs: 60_000 },
  );
  const { data } = query;
  const points = useMemo((): Points => {
    if (!data || data.display_currency !== display) return [];
    const lastPoint = data.points.at(-1);
    if (!now || !lastPoint || now[0] < lastPoint[0]) return data.points;
    return [...data.points.slice(0, -1), now];
  }, [data, display, now]);
  return (
    <section className="mt-6 px-4">
      <h2 className="sr-only">{t("wallet.history.title")}</h2>
      {query.error && !data ? (
        <ErrorNote busy={query.isFetching} onRetry={() => void query.refetch()}>
          {errorMessage(query.error)}
        </ErrorNote>
      ) : data ? (
        <Picture points={points} display={display} hidden={isHidden} />
      ) : (
        <Skeleton width="100%" height="12.5rem" />
      )}
      <div className="mt-2">
        <Segmented
          label={t("wallet.history.range")}
          value={range}
          onChange={setRange}
          options={historyRangeNames.map((value) => ({
            value,
            label: t(`wallet.history.range.${value}`),
          }))}
        />
      </div>
      {isHidden || points.length < 2 ? null : (
        <>
          <Button
            variant="quiet"
            size="small"
            className="mt-1 -ml-3.5"
            aria-expanded={isTable}
            onClick={() => setIsTable(!isTable)}
          >
            {t(isTable ? "wallet.history.hideTable" : "wallet.history.asTable")}
          </Button>
          {isTable ? <HistoryTable points={points} display={display} /> : null}
        </>
      )}
    </section>
  );
}

function Picture({ points, display, hidden }: { points: Points; display: Coin; hidden: boolean }) {
  const { formatDate } = useIntl();
  const t = useText();
  const [chosenIndex, setChosenIndex] = useState<number | null>(null);
  const point = chosenIndex === null ? null : (points[chosenIndex] ?? null);
  const present = points.filter(([, total]) => total !== null);
  if (hidden) return <QuietNote>{t("wallet.history.hidden")}</QuietNote>;
  if (present.length < 2) return <QuietNote>{t("wallet.history.young")}</QuietNote>;
  const moment = (ms: number) => formatDate(ms, { dateStyle: "medium", timeStyle: "short" });
  const describe = (index: number) => {
    const [ms, total] = points[index]!;
    return total === null
      ? moment(ms)
      : t("wallet.history.point", {
          time: moment(ms),
          total: `${shortText(total, display)} ${display}`,
        });
  };
  return (
    <>
      <div className="flex min-h-11 items-end justify-between gap-3 text-small">
        <span className="text-ink-faint">
          {point ? moment(point[0]) : t("wallet.history.since", { time: moment(present[0]![0]) })}
        </span>
        <span className="font-strong">
          {point ? (
            <HideableAmount hidden={hidden}>
              {point[1] === null ? (
                "—"
              ) : (
                <Amount value={shortText(point[1], display)} coin={display} />
              )}
            </HideableAmount>
          ) : (
            <Moved from={present[0]![1]!} to={present.at(-1)![1]!} display={display} />
          )}
        </span>
      </div>
      <TotalChart
        points={points}
        chosen={chosenIndex}
        onChoose={setChosenIndex}
        describe={describe}
      />
      <Extremes points={present} display={display} />
      <p className="mb-1 text-caption text-ink-faint">{t("wallet.history.flows")}</p>
    </>
  );
}

/** The lowest and highest total of the line. */
function Extremes({ points, display }: { points: Points; display: Coin }) {
  const t = useText();
  const totals = points.flatMap(([, total]) => (total === null ? [] : [total]));
  const ordered = totals.toSorted((a, b) => {
    const by = toMinorUnits(a, coinScale(display)) - toMinorUnits(b, coinScale(display));
    return by < 0n ? -1 : by > 0n ? 1 : 0;
  });
  const value = (text: string | undefined) => (
    <Amount value={shortText(text ?? "0", display)} coin={display} bare />
  );
  return (
    <p className="mb-2 flex justify-between gap-3 text-caption text-ink-soft">
      <span>
        {t("wallet.history.low")} {value(ordered[0])}
      </span>
      <span>
        {t("wallet.history.high")} {value(ordered.at(-1))}
      </span>
    </p>
  );
}

function QuietNote({ children }: { children: string }) {
  return (
    <p className="grid h-50 place-items-center rounded-dock border border-line px-6 text-center text-small text-ink-faint">
      {children}
    </p>
  );
}

/** The change of a total, including recharges and withdrawals. */
function Moved({ from, to, display }: { from: string; to: string; display: Coin }) {
  const scale = coinScale(display);
  const by = toMinorUnits(to, scale) - toMinorUnits(from, scale);
  // A loss never looks smaller than it is.
  const text = by < 0n ? `-${shortWorth(-by, display, "up")}` : shortWorth(by, display);
  return (
    <span className="inline-flex items-center gap-1">
      <Arrow direction={by > 0n ? 1 : by < 0n ? -1 : 0} />
      <Amount value={text} coin={display} signed toned />
    </span>
  );
}

function shortText(text: string, display: Coin): string {
  return shortWorth(toMinorUnits(text, coinScale(display)), display);
}
