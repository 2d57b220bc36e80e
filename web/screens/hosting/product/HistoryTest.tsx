import type { ReactNode } from "react";
import { useIntl } from "react-intl";
import type { HistoryAnswer } from "#api/hosting/historyTest.ts";
import type { Pool } from "#api/hosting/pool.ts";
import { getHistoryTest } from "#api/routes/hosting.ts";
import { coinScale } from "#core/money/coins.ts";
import { toMinorUnits } from "#core/money/decimal.ts";
import { useText } from "#i18n/useText.ts";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Fold } from "#ui/Fold.tsx";
import { Amount } from "#ui/figures/Amount.tsx";
import { Section } from "#ui/Section.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { ResultAmount } from "#web/features/monte-carlo/ResultAmount.tsx";
import { RunTable } from "#web/features/monte-carlo/RunTable.tsx";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { Moved, useBpText } from "../figures.tsx";
import { Legend, Lines } from "../Lines.tsx";
import { HistoryCheck } from "./HistoryCheck.tsx";

type Test = NonNullable<HistoryAnswer["test"]>;

/** Refetch interval, in real milliseconds, of a test that is still being computed. */
const pendingMs = 5_000;
const tableRows = 12;

/**
 * The result that the strategy would have had in the market before this world, under all three
 * frictions: labelled as a test, not a result, before any figure.
 */
export default function HistoryTest({ pool }: { pool: Pool }) {
  const t = useText();
  const errorMessage = useErrorMessage();
  const query = useApiQuery(
    getHistoryTest,
    { product_id: pool.product_id },
    { refetchMs: (answer) => (answer?.state === "pending" ? pendingMs : undefined) },
  );
  const answer = query.data;
  return (
    <Section title={t("hosting.before.title")} kind="plain">
      {!answer && query.isError ? (
        <ErrorNote onRetry={() => void query.refetch()}>{errorMessage(query.error)}</ErrorNote>
      ) : !answer ? (
        <Skeleton height="320px" />
      ) : answer.test === null ? (
        <p className="text-small text-ink-soft">
          {t(`hosting.before.${answer.state === "ready" ? "too_short" : answer.state}`)}
        </p>
      ) : (
        <Tested pool={pool} test={answer.test} inputs={answer.inputs} />
      )}
    </Section>
  );
}

function Tested({
  pool,
  test,
  inputs,
}: {
  pool: Pool;
  test: Test;
  inputs: HistoryAnswer["inputs"];
}) {
  const t = useText();
  const time = useTime();
  const isRecorded = inputs?.kind === "recording";
  return (
    <div className="flex flex-col gap-4">
      <p>
        {t("hosting.before.text", {
          start: <Amount key="start" value={test.start} coin={pool.coin} />,
          from: time(test.from_ms),
          to: time(test.to_ms),
        })}
      </p>
      <Outcomes pool={pool} test={test} />
      <NavCourse test={test} />
      {test.gaps.length > 1 ? <Gaps test={test} /> : null}
      <p className="text-small text-ink-soft">
        {t(isRecorded ? "hosting.before.recording" : "hosting.before.simulated")}
      </p>
      {inputs ? <HistoryCheck pool={pool} test={test} inputs={inputs} /> : null}
    </div>
  );
}

/** Every figure under every friction, losses like gains. */
function Outcomes({ pool, test }: { pool: Pool; test: Test }) {
  const { formatNumber } = useIntl();
  const t = useText();
  const { outcomes } = test;
  const row = (name: string, figureOf: (outcome: Test["outcomes"][number]) => ReactNode) => ({
    name,
    values: outcomes.map(figureOf),
  });
  const amount = (value: string, sign: "" | "-") => (
    <ResultAmount
      value={toMinorUnits(value, coinScale(pool.coin)) * (sign ? -1n : 1n)}
      coin={pool.coin}
    />
  );
  return (
    <RunTable
      caption={t("hosting.before.title")}
      head={t("hosting.friction.title")}
      columns={outcomes.map(({ friction }) => t(`hosting.friction.${friction}`))}
      rows={[
        row(t("hosting.before.change"), (item) => <Moved bp={item.return_bp} />),
        row(t("hosting.before.result", { coin: pool.coin }), (item) => amount(item.result, "")),
        row(t("hosting.drawdown"), (item) => <Moved bp={item.drawdown_bp} />),
        row(t("hosting.trades"), (item) => formatNumber(item.trades)),
        row(t("hosting.fees_paid"), (item) => amount(item.fees, "-")),
        row(t("hosting.slippage_paid"), (item) => amount(item.slippage, "-")),
        {
          name: t("hosting.hold_return"),
          values: outcomes.map(() => <Moved key="hold" bp={test.hold_return_bp} />),
        },
      ]}
    />
  );
}

function NavCourse({ test }: { test: Test }) {
  const t = useText();
  const time = useTime();
  const dots = (column: 2 | 3 | 4) =>
    test.line.map((point) => [point[0], Number(point[column])] as const);
  return (
    <figure className="flex flex-col gap-2">
      <Lines
        lines={[
          { look: "strong", dots: dots(2) },
          { look: "dashed", dots: dots(4) },
          { look: "dotted", dots: dots(3) },
        ]}
        height={140}
      />
      <Legend
        items={[
          { look: "strong", text: t("hosting.friction.realistic") },
          { look: "dashed", text: t("hosting.hold_line") },
          { look: "dotted", text: t("hosting.friction.harsh") },
        ]}
      />
      <Fold label={t("hosting.chart.table")}>
        <RunTable
          caption={t("hosting.before.title")}
          head={t("hosting.time")}
          columns={[
            t("hosting.friction.realistic"),
            t("hosting.friction.harsh"),
            t("hosting.hold_line"),
          ]}
          rows={downsample(test.line).map(([atMs, , realistic, harsh, hold]) => ({
            name: time(atMs),
            values: [realistic, harsh, hold].map((bp, index) => (
              <Moved key={String(index)} bp={bp} />
            )),
          }))}
        />
      </Fold>
    </figure>
  );
}

/** How far the best gap was from its cost: what had to happen for a trade. */
function Gaps({ test }: { test: Test }) {
  const { formatNumber } = useIntl();
  const t = useText();
  const time = useTime();
  const bpText = useBpText();
  const { gaps, seen, wide } = test;
  const closest = gaps.reduce((best, gap) =>
    computeShortfall(gap) < computeShortfall(best) ? gap : best,
  );
  return (
    <figure className="flex flex-col gap-2">
      <h3 className="font-strong">{t("hosting.before.gaps")}</h3>
      <Lines
        lines={[
          { look: "strong", dots: gaps.map(([atMs, gap]) => [atMs, Number(gap)] as const) },
          { look: "dashed", dots: gaps.map(([atMs, , need]) => [atMs, Number(need)] as const) },
        ]}
        height={120}
      />
      <Legend
        items={[
          { look: "strong", text: t("hosting.run.gap") },
          { look: "dashed", text: t("hosting.run.needed") },
        ]}
      />
      <figcaption>
        {t("hosting.before.wide", {
          wide: formatNumber(wide),
          seen: formatNumber(seen),
          gap: bpText(closest[1]),
          needed: bpText(closest[2]),
        })}
      </figcaption>
      <Fold label={t("hosting.chart.table")}>
        <RunTable
          caption={t("hosting.before.gaps")}
          head={t("hosting.time")}
          columns={[t("hosting.run.gap"), t("hosting.run.needed")]}
          rows={downsample(gaps).map(([atMs, gap, neededGap]) => ({
            name: time(atMs),
            values: [bpText(gap), bpText(neededGap)],
          }))}
        />
      </Fold>
    </figure>
  );
}

const computeShortfall = ([, gap, neededGap]: Test["gaps"][number]) =>
  Number(neededGap) - Number(gap);

/** Evenly spaced, as many as a table holds, and the last. */
function downsample<Point>(points: readonly Point[]): Point[] {
  const step = Math.max(1, Math.ceil(points.length / tableRows));
  return points.filter((_, index) => index === points.length - 1 || index % step === 0);
}

function useTime() {
  const { formatDate } = useIntl();
  return (ms: number) =>
    formatDate(ms, { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" });
}
