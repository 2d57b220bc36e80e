import { useMemo, useState } from "react";
import { useIntl } from "react-intl";
import type { NavPoint } from "#api/hosting/pool.ts";
import { getNavHistory } from "#api/routes/hosting.ts";
import { navScale } from "#core/hosting/pool.ts";
import { type Coin, coinScale } from "#core/money/coins.ts";
import { toMinorUnits } from "#core/money/decimal.ts";
import { dayMs, hourMs, minuteMs } from "#core/money/time.ts";
import type { PoolRun } from "#core/monte-carlo/pools.ts";
import { useText } from "#i18n/useText.ts";
import { Amount } from "#ui/figures/Amount.tsx";
import { Segmented } from "#ui/form/Segmented.tsx";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { FanChart } from "./FanChart.tsx";
import { FanTable } from "./FanTable.tsx";
import { frictions, type JobResults, type Jobs } from "./jobs.ts";
import { NoRun } from "./NoRun.tsx";
import { ResultAmount } from "./ResultAmount.tsx";
import { RunTable } from "./RunTable.tsx";
import { useQuantileRows } from "./useQuantileRows.tsx";
import { useRun } from "./useRun.ts";

export interface PoolRunProps {
  productId: string;
  coin: Coin;
  /** The friction that the picture shows; the table has all three. */
  friction: (typeof frictions)[number];
}

/** How long a pool is held, and the history whose marks are dense enough for it. */
const holdingTimes = { hour: "day", day: "month", week: "all" } as const;
const heldMs = { hour: hourMs, day: dayMs, week: 7 * dayMs } as const;
type Hold = keyof typeof holdingTimes;
/** The amount put in at each start, in whole coins. */
const amountPutIn = 1_000n;

/**
 * The results of entering a pool at every moment of its history and holding for a time, under each
 * friction.
 */
export default function PoolRunView({ productId, coin, friction }: PoolRunProps) {
  const t = useText();
  const [hold, setHold] = useState<Hold>("day");
  const query = useApiQuery(
    getNavHistory,
    { product_id: productId, range: holdingTimes[hold] },
    { staleMs: Number.POSITIVE_INFINITY },
  );
  const items = query.data?.items;
  const amount = amountPutIn * 10n ** BigInt(coinScale(coin));
  const job = useMemo(
    (): Jobs["pool"] | null =>
      items ? { moments: items.map(toMoment), amount, heldMs: heldMs[hold] } : null,
    [items, amount, hold],
  );
  const { answer, busy, failed } = useRun("pool", job);
  return (
    <>
      <Segmented
        label={t("monte-carlo.held")}
        value={hold}
        onChange={setHold}
        options={(Object.keys(holdingTimes) as Hold[]).map((value) => ({
          value,
          label: t(`hosting.range.${value}`),
        }))}
      />
      {answer && items && !query.isError ? (
        <div aria-busy={busy}>
          <Results runs={answer} friction={friction} coin={coin} amount={amount} />
          <HistoryNote items={items} starts={answer[friction].starts} />
        </div>
      ) : (
        <div className="pt-4">
          <NoRun query={query} failed={failed} isEmpty={answer === null} />
        </div>
      )}
    </>
  );
}

function toMoment([atMs, realistic, , frictionless, harsh]: NavPoint) {
  const nav = (text: string) => toMinorUnits(text, navScale);
  return {
    atMs,
    nav: { frictionless: nav(frictionless), realistic: nav(realistic), harsh: nav(harsh) },
  };
}

interface ResultsProps {
  runs: NonNullable<JobResults["pool"]>;
  friction: PoolRunProps["friction"];
  coin: Coin;
  amount: bigint;
}

function Results({ runs, friction, coin, amount }: ResultsProps) {
  const { formatNumber } = useIntl();
  const t = useText();
  const spreadRows = useQuantileRows(coin);
  const nameOf = useHeldName();
  const run: PoolRun = runs[friction];
  const points = run.fan.map(({ heldMs: atMs, spread }) => ({ at: atMs, spread }));
  const heldText = nameOf(points.at(-1)?.at ?? 0);
  const putInText = <Amount value={amount} coin={coin} />;
  const median = <ResultAmount value={run.spread.median} coin={coin} bare={false} />;
  const label = t("monte-carlo.pool.picture", { starts: run.starts, held: heldText });
  return (
    <>
      <figure aria-label={label} className="pt-4">
        <FanChart points={points} coin={coin} from={nameOf(0)} to={heldText} />
        <figcaption className="mt-3 font-strong" aria-live="polite">
          {t("monte-carlo.pool.sentence", {
            held: heldText,
            below: run.below,
            starts: run.starts,
            amount: putInText,
            median,
          })}
        </figcaption>
      </figure>
      <div className="mt-4">
        <RunTable
          caption={t("monte-carlo.table")}
          head={t("monte-carlo.friction")}
          columns={frictions.map((name) => t(`hosting.friction.${name}`))}
          rows={[
            {
              name: t("monte-carlo.below"),
              hint: t("monte-carlo.ofStarts", { count: run.starts }),
              values: frictions.map((name) => formatNumber(runs[name].below)),
            },
            ...spreadRows(frictions.map((name) => runs[name].spread)),
          ]}
        />
      </div>
      <FanTable
        caption={label}
        head={t("monte-carlo.held")}
        points={points}
        coin={coin}
        nameOf={nameOf}
      />
    </>
  );
}

/** A holding time: in hours from one hour on, otherwise in minutes. */
function useHeldName() {
  const { formatNumber } = useIntl();
  return (ms: number) => {
    const [unit, size] =
      ms >= hourMs ? (["hour", hourMs] as const) : (["minute", minuteMs] as const);
    return formatNumber(ms / size, {
      style: "unit",
      unit,
      unitDisplay: "short",
      maximumFractionDigits: 1,
    });
  };
}

function HistoryNote({ items, starts }: { items: readonly NavPoint[]; starts: number }) {
  const { formatDate } = useIntl();
  const t = useText();
  const time = (ms: number) =>
    formatDate(ms, {
      year: "numeric",
      month: "short",
      day: "numeric",
      hour: "2-digit",
      minute: "2-digit",
    });
  return (
    <div className="flex flex-col gap-3 pt-3 text-small text-ink-soft">
      <p>
        {t("monte-carlo.pool.history", {
          count: starts,
          from: time(items[0]?.[0] ?? 0),
          to: time(items.at(-1)?.[0] ?? 0),
        })}
      </p>
      <p>{t("monte-carlo.pool.overlap")}</p>
    </div>
  );
}
