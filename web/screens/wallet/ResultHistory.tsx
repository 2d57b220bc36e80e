import { useMemo, useState } from "react";
import { useIntl } from "react-intl";
import { getResultHistory } from "#api/routes/records.ts";
import { coinScale } from "#core/money/coins.ts";
import { formatDecimal, toMinorUnits } from "#core/money/decimal.ts";
import { type HistoryRange, historyRangeNames } from "#core/wallet/balanceHistory.ts";
import { displayCurrency } from "#core/wallet/valuation.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Amount } from "#ui/figures/Amount.tsx";
import { shortWorthText } from "#ui/figures/shortAmount.ts";
import { Segmented } from "#ui/form/Segmented.tsx";
import { Link } from "#ui/router.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import type { AccountView } from "#web/features/money/useAccount.ts";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { useHideAmounts } from "#web/lib/hideAmounts.tsx";
import { HistoryTable } from "./HistoryTable.tsx";
import { TotalChart } from "./TotalChart.tsx";

type Points = readonly (readonly [number, string | null])[];

/**
 * The result over time: what was won and lost, without what was brought in or taken out, which is
 * marked on the line. It can be read point by point and as a table.
 */
export function ResultHistory({ view }: { view: AccountView }) {
  const t = useText();
  const errorMessage = useErrorMessage();
  const [hidden] = useHideAmounts();
  const [range, setRange] = useState<HistoryRange>("day");
  const [isTable, setIsTable] = useState(false);
  const input = { range };
  const query = useApiQuery(getResultHistory, input, { keepPrevious: true, refetchMs: 60_000 });
  const { data } = query;
  const points = useMemo(
    (): Points => (data?.points ?? []).map(([atMs, text]) => [atMs, inDisplay(view, text)]),
    [data, view],
  );
  return (
    <section className="mt-6 px-4">
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <h2 className="text-small text-ink-soft">{t("results.history")}</h2>
        <Link
          to="/wallet?do=results"
          className="inline-flex min-h-11 items-center text-small text-signal-ink hover:underline"
        >
          {t("results.any_days")}
        </Link>
      </div>
      {query.error && !data ? (
        <ErrorNote busy={query.isFetching} onRetry={() => void query.refetch()}>
          {errorMessage(query.error)}
        </ErrorNote>
      ) : !data ? (
        <Skeleton width="100%" height="12.5rem" />
      ) : hidden ? (
        <Quiet>{t("wallet.history.hidden")}</Quiet>
      ) : points.filter(([, value]) => value !== null).length < 2 ? (
        <Quiet>{t("wallet.history.young")}</Quiet>
      ) : (
        <Picture view={view} points={points} flows={data.flows} />
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
      {hidden || points.length < 2 ? null : (
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
          {isTable ? (
            <HistoryTable points={points} display={view.display} heading={t("results.result")} />
          ) : null}
        </>
      )}
    </section>
  );
}

/** A decimal of pUSDT in the display currency; null without a price. */
function inDisplay({ inDisplay: convert, display }: AccountView, text: string | null) {
  const value = text === null ? null : convert(toMinorUnits(text, coinScale(displayCurrency)));
  return value === null ? null : formatDecimal(value, coinScale(display));
}

function Picture({
  view,
  points,
  flows,
}: {
  view: AccountView;
  points: Points;
  flows: readonly (readonly [number, string])[];
}) {
  const { formatDate } = useIntl();
  const t = useText();
  const [chosenIndex, setChosenIndex] = useState<number | null>(null);
  const { display } = view;
  const moment = (ms: number) => formatDate(ms, { dateStyle: "medium", timeStyle: "short" });
  const point =
    chosenIndex === null ? points.findLast(([, value]) => value !== null)! : points[chosenIndex]!;
  const previousMs = points[chosenIndex === null ? points.length - 2 : chosenIndex - 1]?.[0] ?? 0;
  const flowsHere =
    chosenIndex === null ? [] : flows.filter(([ms]) => ms > previousMs && ms <= point[0]);
  const describe = (index: number) => {
    const [ms, value] = points[index]!;
    return value === null
      ? moment(ms)
      : t("wallet.history.point", {
          time: moment(ms),
          total: `${shortWorthText(value, display).replace("-", "−")} ${display}`,
        });
  };
  return (
    <>
      <div className="flex min-h-11 items-end justify-between gap-3 text-small">
        <span className="text-ink-faint">
          {moment(point[0])}
          {flowsHere.map(([ms, amount]) => (
            <span key={ms} className="block">
              {t(`results.history.flow.${amount.startsWith("-") ? "out" : "in"}`, {
                amount: (
                  <Amount
                    key={ms}
                    value={shortWorthText(inDisplay(view, amount.replace("-", "")) ?? "0", display)}
                    coin={display}
                  />
                ),
              })}
            </span>
          ))}
        </span>
        <span className="font-strong">
          {point[1] === null ? (
            "—"
          ) : (
            <Amount value={shortWorthText(point[1], display)} coin={display} signed toned />
          )}
        </span>
      </div>
      <TotalChart
        points={points}
        chosen={chosenIndex}
        onChoose={setChosenIndex}
        describe={describe}
        marks={flows.map(([ms]) => ms)}
        label={t("results.history")}
      />
      <p className="mb-1 text-caption text-ink-faint">{t("results.history.note")}</p>
    </>
  );
}

function Quiet({ children }: { children: string }) {
  return (
    <p className="grid h-50 place-items-center rounded-dock border border-line px-6 text-center text-small text-ink-faint">
      {children}
    </p>
  );
}
