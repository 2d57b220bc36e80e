import { useState } from "react";
import { useIntl } from "react-intl";
import type { Backtest, BacktestOutcome, BacktestResult } from "#api/backtest.ts";
import { exportHistoryTest } from "#api/routes/backtest.ts";
import { frictionNames } from "#core/hosting/friction.ts";
import { useText } from "#i18n/useText.ts";
import { buttonClass } from "#ui/buttonClass.ts";
import { Change } from "#ui/figures/Change.tsx";
import { Segmented } from "#ui/form/Segmented.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { BacktestAmount } from "./BacktestAmount.tsx";
import { Chart } from "./Chart.tsx";
import { Trades } from "./Trades.tsx";

type Friction = BacktestOutcome["friction"];

/** The gain or loss of a test under the chosen friction. */
export function Result({ test, result }: { test: Backtest; result: BacktestResult }) {
  const { formatNumber } = useIntl();
  const t = useText();
  const [friction, setFriction] = useState<Friction>("realistic");
  const outcome = result.outcomes.find((outcome) => outcome.friction === friction)!;
  const { unit } = result;
  return (
    <>
      <Section title={t("backtest.result")} note={<Setting test={test} />} kind="plain">
        <Segmented
          label={t("backtest.friction")}
          value={friction}
          onChange={setFriction}
          options={frictionNames.map((value) => ({
            value,
            label: t(`backtest.friction.${value}`),
          }))}
        />
        <p className="mt-2 mb-4 text-caption text-ink-faint">
          {t(`backtest.friction.${friction}.about`)}
        </p>
        <Chart result={result} friction={friction} />
        <Honesty test={test} result={result} />
      </Section>
      <Section>
        <Row
          label={t("backtest.outcome")}
          hint={t("backtest.outcome.about", { start: formatNumber(Number(result.start)), unit })}
          value={<BacktestAmount value={outcome.result} unit={unit} signed />}
          valueHint={<Change bp={outcome.return_bp} />}
        />
        <Row
          label={t("backtest.hold")}
          hint={result.hold.symbol}
          value={<Change bp={result.hold.return_bp} />}
          valueHint={t("backtest.fell", {
            percent: percent(result.hold.drawdown_bp, formatNumber),
          })}
        />
        <Row label={t("backtest.drawdown")} value={percent(outcome.drawdown_bp, formatNumber)} />
        <Row
          label={t("backtest.net")}
          hint={t("backtest.net.about")}
          value={<BacktestAmount value={outcome.net} unit={unit} signed />}
        />
        <Row
          label={t("backtest.gross")}
          value={<BacktestAmount value={outcome.gross} unit={unit} />}
        />
        <Row
          label={t("backtest.slippage")}
          value={<BacktestAmount value={outcome.slippage} unit={unit} />}
        />
        <Row
          label={t("backtest.fees")}
          value={<BacktestAmount value={outcome.fees} unit={unit} />}
        />
        <Row label={t("backtest.trades")} value={formatNumber(outcome.trades)} />
      </Section>
      <Days outcome={outcome} unit={unit} />
      <Trades key={`${test.run_id} ${friction}`} test={test} outcome={outcome} />
      <Exports test={test} friction={friction} />
    </>
  );
}

const percent = (
  bp: number,
  format: (value: number, options: { style: "percent"; minimumFractionDigits: number }) => string,
) => format(bp / 10_000, { style: "percent", minimumFractionDigits: 2 });

function Setting({ test }: { test: Backtest }) {
  const { formatDateTimeRange } = useIntl();
  const t = useText();
  const period = formatDateTimeRange(test.from_ms, test.to_ms - 1, {
    dateStyle: "medium",
    timeZone: "UTC",
  });
  return (
    <>
      {t(`backtest.strategy.${test.strategy}`)} · {test.symbols.join(", ")} ·{" "}
      {test.venues.join(", ")}
      <br />
      {period} · {t("backtest.margin.of", { margin: test.margin_bp })}
    </>
  );
}

/** How many settings were tried, and whether the strategy used look-ahead. */
function Honesty({ test, result }: { test: Backtest; result: BacktestResult }) {
  const { formatDate } = useIntl();
  const t = useText();
  const { tried, above } = test;
  const { peek, cuts } = result.look_ahead;
  const messageId = tried > 1 && above === 0 ? "backtest.tried.best" : "backtest.tried";
  return (
    <div className="mt-4 flex flex-col gap-2 border-l-2 border-warning pl-3 text-small text-ink-soft">
      <p>{t(messageId, { tried })}</p>
      <p>
        {peek
          ? t("backtest.lookAhead.failed", {
              at: formatDate(peek.at_ms, {
                dateStyle: "medium",
                timeStyle: "short",
                timeZone: "UTC",
              }),
            })
          : t("backtest.lookAhead.passed", { cuts })}
      </p>
    </div>
  );
}

function Days({ outcome, unit }: { outcome: BacktestOutcome; unit: string }) {
  const { formatDate } = useIntl();
  const t = useText();
  return (
    <Section
      title={t("backtest.days")}
      action={<span className="text-caption text-ink-faint">{unit}</span>}
      note={t("backtest.days.about")}
    >
      <section
        aria-label={t("backtest.days.about")}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be focusable
        tabIndex={0} // oxlint-disable-line jsx-a11y/no-noninteractive-tabindex -- a scrollable region must be focusable
        className="overflow-x-auto focus-visible:-outline-offset-2"
      >
        <table className="w-full text-small">
          <thead>
            <tr className="text-caption text-ink-faint">
              {["day", "trades", "net", "gross", "slippage", "fees", "outcome"].map(
                (name, index) => (
                  <th
                    key={name}
                    scope="col"
                    className={`px-3 py-2 font-normal ${index === 0 ? "pl-4 text-left" : "text-right"}`}
                  >
                    {t(`backtest.${name}`)}
                  </th>
                ),
              )}
            </tr>
          </thead>
          <tbody>
            {outcome.days.map((day) => (
              <tr key={day.day_ms} className="border-t border-line">
                <th
                  scope="row"
                  className="py-2.5 pr-3 pl-4 text-left font-normal whitespace-nowrap"
                >
                  {formatDate(day.day_ms, { month: "short", day: "numeric", timeZone: "UTC" })}
                </th>
                <td className="px-3 text-right">{day.trades}</td>
                <td className="px-3 text-right">
                  <BacktestAmount value={day.net} unit="" signed />
                </td>
                {[day.gross, day.slippage, day.fees].map((value, index) => (
                  <td key={["gross", "slippage", "fees"][index]} className="px-3 text-right">
                    <BacktestAmount value={value} unit="" />
                  </td>
                ))}
                <td className="px-3 text-right">
                  <BacktestAmount value={day.result} unit="" signed />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Section>
  );
}

function Exports({ test, friction }: { test: Backtest; friction: Friction }) {
  const t = useText();
  const files = [
    { id: "backtest.export.days", query: { what: "days", format: "csv" } },
    { id: "backtest.export.trades", query: { what: "trades", format: "csv" } },
    { id: "backtest.export.all", query: { format: "json" } },
  ];
  return (
    <Section title={t("backtest.export")} note={t("backtest.export.about")} kind="plain">
      <div className="grid gap-2">
        {files.map(({ id, query }) => (
          <a
            key={id}
            download
            href={`${exportHistoryTest.path}?${new URLSearchParams({ run_id: test.run_id, friction, ...query } as Record<string, string>)}`}
            className={buttonClass({ variant: "outline", block: true })}
          >
            {t(id)}
          </a>
        ))}
      </div>
    </Section>
  );
}
