import { useEffect, useMemo, useState } from "react";
import { useIntl } from "react-intl";
import { type StakeQuote, stakeCoin } from "#core/contracts/stake.ts";
import { minuteMs } from "#core/money/time.ts";
import { getHistoryStep, type HistoryKline } from "#core/monte-carlo/moves.ts";
import {
  type Horizon,
  horizons,
  type OrdersRow,
  type OrdersRun,
  personCount,
  reliableMovesMin,
} from "#core/monte-carlo/orders.ts";
import { useText } from "#i18n/useText.ts";
import { Segmented } from "#ui/form/Segmented.tsx";
import { browserStorage } from "#web/lib/storage.ts";
import { CheckThis } from "./CheckThis.tsx";
import { FanChart } from "./FanChart.tsx";
import { FanTable } from "./FanTable.tsx";
import type { Jobs } from "./jobs.ts";
import { NoRun } from "./NoRun.tsx";
import { ResultAmount } from "./ResultAmount.tsx";
import { RunTable } from "./RunTable.tsx";
import { saveOrdersRun } from "./saveOrdersRun.ts";
import { createRunSeed } from "./seed.ts";
import { useHistory } from "./useHistory.ts";
import { useQuantileRows } from "./useQuantileRows.tsx";
import { useRun } from "./useRun.ts";

export interface OrdersRunProps {
  contractId: string;
  tier: { seconds: number; range_bp: number };
  quote: StakeQuote;
  /**
   * The balance that would pay for the orders, in minor units; null while unknown or signed out.
   */
  balance: bigint | null;
}

/**
 * A thousand people with the order on the ticket: chart, sentence, table, and a way to check them.
 */
export default function OrdersRunView({ contractId, tier, quote, balance }: OrdersRunProps) {
  const t = useText();
  const [seed, setSeed] = useState(createRunSeed);
  const { interval } = getHistoryStep(tier.seconds);
  const { stepMs, untilMs, query } = useHistory(contractId, interval);
  const klines = query.data;
  // Compared by value: the ticket makes a new quote with every price, and a run takes time.
  const { stake, fee, charged, profit, back } = quote;
  const job = useMemo((): Jobs["orders"] | null => {
    if (!klines) return null;
    const order = { seed, quote: { stake, fee, charged, profit, back }, balance };
    const rule = {
      stepMs,
      tierSeconds: tier.seconds,
      rangeBp: tier.range_bp,
      nowMs: untilMs,
    };
    return { klines, rule, order };
  }, [
    klines,
    stepMs,
    untilMs,
    tier.seconds,
    tier.range_bp,
    seed,
    stake,
    fee,
    charged,
    profit,
    back,
    balance,
  ]);
  const { answer, busy, failed } = useRun("orders", job);
  if (!answer || !klines || !job) {
    return <NoRun query={query} failed={failed} isEmpty={answer === null} />;
  }
  return (
    <div aria-busy={busy}>
      <Results run={answer} />
      {answer.starts < reliableMovesMin ? (
        <p className="mt-3 text-small text-warning">
          {t("monte-carlo.short", { count: answer.starts })}
        </p>
      ) : null}
      <CheckThis
        seed={seed}
        onSeed={setSeed}
        onSave={() => saveOrdersRun(contractId, job, answer)}
        busy={busy}
      >
        <HistoryNote run={answer} klines={klines} stepMs={stepMs} />
      </CheckThis>
    </div>
  );
}

function Results({ run }: { run: OrdersRun }) {
  const { formatNumber } = useIntl();
  const t = useText();
  const [horizon, setHorizon] = useState<Horizon>(100);
  // A step of the first ten minutes; /home checks it off.
  useEffect(() => {
    browserStorage.write("thousand_run", "1");
  }, []);
  const row = run.rows.find(({ orders }) => orders === horizon) as OrdersRow;
  const { orders, below, spread } = row;
  const points = run.fan
    .filter((point) => point.orders <= horizon)
    .map((point) => ({ at: point.orders, spread: point.spread }));
  const label = t("monte-carlo.picture", { orders, people: personCount });
  const formatOrderCount = (count: number) => t("monte-carlo.orderCount", { count });
  return (
    <>
      <Segmented
        label={t("monte-carlo.orders")}
        value={String(horizon)}
        onChange={(value) => setHorizon(Number(value) as Horizon)}
        options={horizons.map((count) => ({
          value: String(count),
          label: formatOrderCount(count),
        }))}
      />
      <figure aria-label={label} className="pt-4">
        <FanChart
          points={points}
          coin={stakeCoin}
          from={formatOrderCount(0)}
          to={formatOrderCount(orders)}
        />
        <figcaption className="mt-3 font-strong" aria-live="polite">
          {t("monte-carlo.sentence", {
            orders,
            below,
            people: personCount,
            median: <ResultAmount value={spread.median} coin={stakeCoin} bare={false} />,
          })}
        </figcaption>
      </figure>
      <div className="mt-4">
        <RunTable
          caption={t("monte-carlo.table")}
          head={t("monte-carlo.orders")}
          columns={run.rows.map((row) => formatNumber(row.orders))}
          rows={useRows(run)}
        />
      </div>
      <FanTable caption={label} head={t("monte-carlo.orders")} points={points} coin={stakeCoin} />
    </>
  );
}

function useRows({ rows }: OrdersRun) {
  const { formatNumber } = useIntl();
  const spreadRows = useQuantileRows(stakeCoin);
  const t = useText();
  const percent = (share: number) =>
    formatNumber(share, { style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1 });
  return [
    {
      name: t("monte-carlo.below"),
      hint: t("monte-carlo.ofPeople", { people: personCount }),
      values: rows.map(({ below }) => formatNumber(below)),
    },
    {
      name: t("monte-carlo.exact"),
      hint: t("monte-carlo.exact.hint"),
      values: rows.map(({ exactBelowBp }) => percent(exactBelowBp / 10_000)),
    },
    ...spreadRows(rows.map(({ spread }) => spread)),
    ...(rows[0]?.outOfMoney === null
      ? []
      : [
          {
            name: t("monte-carlo.out"),
            hint: t("monte-carlo.ofPeople", { people: personCount }),
            values: rows.map(({ outOfMoney }) => formatNumber(outOfMoney ?? 0)),
          },
        ]),
  ];
}

function HistoryNote({
  run,
  klines,
  stepMs,
}: {
  run: OrdersRun;
  klines: readonly HistoryKline[];
  stepMs: number;
}) {
  const { formatDate } = useIntl();
  const t = useText();
  const end = run.rows.at(-1) as OrdersRow;
  const time = (ms: number) =>
    formatDate(ms, {
      year: "numeric",
      month: "short",
      day: "numeric",
      hour: "2-digit",
      minute: "2-digit",
    });
  return (
    <>
      <p>
        {t("monte-carlo.history", {
          count: run.starts,
          from: time(klines[0]?.openMs ?? 0),
          to: time((klines.at(-1)?.openMs ?? 0) + stepMs),
          ties: run.ties,
          minutes: stepMs / minuteMs,
        })}
      </p>
      <p>{t("monte-carlo.flips", { lost: end.lost, decided: end.won + end.lost })}</p>
    </>
  );
}
