import { useMemo, useState } from "react";
import { useIntl } from "react-intl";
import { toContractId } from "#core/contracts/terms.ts";
import { type LeasePlan, projectLease } from "#core/mining/calculator.ts";
import type { NetworkFigures } from "#core/mining/formula.ts";
import { type LeaseRun, listDayChanges, listDifficultyChanges } from "#core/monte-carlo/leases.ts";
import type { HistoryKline } from "#core/monte-carlo/moves.ts";
import { personCount, reliableMovesMin } from "#core/monte-carlo/orders.ts";
import { useText } from "#i18n/useText.ts";
import { CheckThis } from "./CheckThis.tsx";
import { FanChart } from "./FanChart.tsx";
import { FanTable } from "./FanTable.tsx";
import type { Jobs } from "./jobs.ts";
import { NoRun } from "./NoRun.tsx";
import { ResultAmount } from "./ResultAmount.tsx";
import { RunTable } from "./RunTable.tsx";
import { saveLeaseRun } from "./saveLeaseRun.ts";
import { createRunSeed } from "./seed.ts";
import { useHistory } from "./useHistory.ts";
import { useQuantileRows } from "./useQuantileRows.tsx";
import { useRun } from "./useRun.ts";

export interface LeaseRunProps {
  plan: LeasePlan;
  network: NetworkFigures;
  /** BTC/USDT at scale 2. */
  btcPrice: bigint;
  /** Past readings of the network, oldest first. */
  readings: readonly { height: number; difficulty: bigint }[];
}

const coin = "pUSDT";
const contractId = toContractId("BTC/USDT");

/**
 * A thousand people with the lease as it was when this view opened; later prices change nothing.
 */
export default function LeaseRunView({ readings, ...rest }: LeaseRunProps) {
  const [lease] = useState(() => ({ ...rest, difficulties: listDifficultyChanges(readings) }));
  const [seed, setSeed] = useState(createRunSeed);
  const { stepMs, query } = useHistory(contractId, "4h");
  const klines = query.data;
  const job = useMemo(
    (): Jobs["lease"] | null => (klines ? { klines, lease: { seed, ...lease } } : null),
    [klines, seed, lease],
  );
  const { answer, busy, failed } = useRun("lease", job);
  if (!answer || !klines || !job) {
    return <NoRun query={query} failed={failed} isEmpty={answer === null} />;
  }
  return (
    <div aria-busy={busy}>
      <Results run={answer} lease={lease} />
      <CheckThis seed={seed} onSeed={setSeed} onSave={() => saveLeaseRun(job, answer)} busy={busy}>
        <HistoryNote klines={klines} stepMs={stepMs} difficulties={lease.difficulties.length} />
      </CheckThis>
    </div>
  );
}

function Results({ run, lease }: { run: LeaseRun; lease: Omit<LeaseRunProps, "readings"> }) {
  const { formatNumber } = useIntl();
  const t = useText();
  const spreadRows = useQuantileRows(coin);
  const { days } = lease.plan;
  const points = run.fan.map(({ day, spread }) => ({ at: day, spread }));
  const label = t("monte-carlo.lease.picture", { people: personCount, days });
  const fixedLease = useMemo(
    () =>
      projectLease(lease.plan, lease.network, {
        difficultyBpPerEpoch: 0,
        btcPrice: lease.btcPrice,
        btcPriceAtEnd: lease.btcPrice,
      }).days.at(-1),
    [lease],
  );
  return (
    <>
      <figure aria-label={label} className="pt-1">
        <FanChart
          points={points}
          coin={coin}
          from={t("monte-carlo.dayCount", { count: 0 })}
          to={t("monte-carlo.dayCount", { count: days })}
        />
        <figcaption className="mt-3 font-strong">
          {t("monte-carlo.lease.sentence", {
            days,
            below: run.below,
            people: personCount,
            median: <ResultAmount value={run.spread.median} coin={coin} bare={false} />,
          })}
        </figcaption>
      </figure>
      <div className="mt-4">
        <RunTable
          caption={t("monte-carlo.table")}
          head={t("monte-carlo.days")}
          columns={[formatNumber(days)]}
          rows={[
            {
              name: t("monte-carlo.lease.below"),
              hint: t("monte-carlo.ofPeople", { people: personCount }),
              values: [formatNumber(run.below)],
            },
            ...spreadRows([run.spread]),
            {
              name: t("monte-carlo.lease.still"),
              values: [<ResultAmount key="still" value={fixedLease?.result ?? 0n} coin={coin} />],
            },
          ]}
        />
      </div>
      <FanTable caption={label} head={t("monte-carlo.days")} points={points} coin={coin} />
    </>
  );
}

interface HistoryNoteProps {
  klines: readonly HistoryKline[];
  stepMs: number;
  difficulties: number;
}

function HistoryNote({ klines, stepMs, difficulties }: HistoryNoteProps) {
  const { formatDate } = useIntl();
  const t = useText();
  const count = useMemo(() => listDayChanges(klines).length, [klines]);
  const date = (ms: number) => formatDate(ms, { year: "numeric", month: "short", day: "numeric" });
  return (
    <>
      <p>
        {t("monte-carlo.lease.history", {
          count,
          from: date(klines[0]?.openMs ?? 0),
          to: date((klines.at(-1)?.openMs ?? 0) + stepMs),
        })}{" "}
        {t("monte-carlo.lease.difficulties", { count: difficulties })}
      </p>
      {count < reliableMovesMin ? (
        <p className="text-warning">{t("monte-carlo.short", { count })}</p>
      ) : null}
    </>
  );
}
