import type { ReactNode } from "react";
import { useIntl } from "react-intl";
import type { ClassDebrief, MaskedPeople } from "#api/operator/debrief.ts";
import type { FigureName } from "#core/classes/debrief.ts";
import { useText } from "#i18n/useText.ts";

type Content<Name extends FigureName> = NonNullable<ClassDebrief["figures"][Name]>["content"];

/** A figure as a table whose bars are drawn beside its numbers; nothing if there is none. */
export function DebriefFigure({ name, debrief }: { name: FigureName; debrief: ClassDebrief }) {
  const { figures, people: all } = debrief;
  switch (name) {
    case "results":
      return figures.results ? <Results {...figures.results.content} total={all} /> : null;
    case "orders":
      return figures.orders ? <Orders {...figures.orders.content} total={all} /> : null;
    case "beliefs":
      return figures.beliefs ? <Beliefs {...figures.beliefs.content} total={all} /> : null;
    case "costs":
      return figures.costs ? <Costs {...figures.costs.content} total={all} /> : null;
    case "withdrawals":
      return figures.withdrawals ? (
        <Statement label="debrief.withdrawals.people">
          <People people={figures.withdrawals.content} total={all} />
        </Statement>
      ) : null;
  }
}

type WithTotals<Figure> = Figure & { total: number };

function Results({ ranges, below, total }: WithTotals<Content<"results">>) {
  const t = useText();
  const max = Math.max(...ranges.map(({ people }) => people));
  return (
    <>
      <Bars
        label={t("debrief.results")}
        heads={[t("debrief.range"), t("debrief.people")]}
        rows={ranges.map((range) => ({
          id: `${range.from} ${range.to}`,
          name: <Range {...range} />,
          share: range.people / max,
          value: range.people,
        }))}
      />
      <Statement label="debrief.results.below">
        <People people={below} total={total} />
      </Statement>
    </>
  );
}

function Range({ from, to }: { from: number | null; to: number | null }) {
  const t = useText();
  const { formatNumber } = useIntl();
  const text = (value: number | null) =>
    formatNumber(value ?? 0, { signDisplay: "exceptZero", maximumFractionDigits: 0 }).replace(
      "-",
      "−",
    );
  if (from === null && to === null) return t("debrief.range.any");
  if (from === 0 && to === 0) return t("debrief.range.same");
  if (from === null) return t("debrief.range.down", { to: text(to) });
  if (to === null) return t("debrief.range.up", { from: text(from) });
  return t("debrief.range.between", { from: text(from), to: text(to) });
}

function Orders({
  right_percent: rightPercent,
  break_even_percent: breakEvenPercent,
  decided,
  people,
  total,
}: WithTotals<Content<"orders">>) {
  const t = useText();
  const { formatNumber } = useIntl();
  const percent = usePercent();
  return (
    <>
      <Bars
        label={t("debrief.orders")}
        heads={[t("debrief.orders"), t("debrief.share")]}
        rows={[
          {
            id: "right",
            name: t("debrief.orders.right"),
            share: rightPercent / 100,
            value: percent(rightPercent),
          },
          {
            id: "even",
            name: t("debrief.orders.even"),
            share: breakEvenPercent / 100,
            value: percent(breakEvenPercent),
          },
        ]}
      />
      <Statement label="debrief.orders.decided">{formatNumber(decided)}</Statement>
      <Statement label="debrief.orders.people">
        <People people={people} total={total} />
      </Statement>
    </>
  );
}

function Beliefs({
  stated_percent: statedPercent,
  right_percent: rightPercent,
  steps,
  people,
  total,
}: WithTotals<Content<"beliefs">>) {
  const t = useText();
  const percent = usePercent();
  return (
    <>
      <Bars
        label={t("debrief.beliefs")}
        heads={[t("debrief.beliefs.stated"), t("debrief.beliefs.right")]}
        rows={steps.map((step) => ({
          id: String(step.from),
          name: `${percent(step.from)} – ${percent(step.to)}`,
          share: step.right_percent / 100,
          tick: step.stated_percent / 100,
          value: percent(step.right_percent),
        }))}
      />
      <p className="mt-2 text-small text-ink-soft print:mt-1">{t("debrief.beliefs.tick")}</p>
      <Statement label="debrief.beliefs.mean">
        {t("debrief.beliefs.both", {
          stated: percent(statedPercent),
          right: percent(rightPercent),
        })}
      </Statement>
      <Statement label="debrief.beliefs.people">
        <People people={people} total={total} />
      </Statement>
    </>
  );
}

const costNames = ["fees", "spread", "hosting", "mining"] as const;

function Costs({ people, total, ...costs }: WithTotals<Content<"costs">>) {
  const t = useText();
  const { formatNumber } = useIntl();
  const shownCosts = costNames.filter((name) => costs[name] !== null);
  const max = Math.max(1, ...shownCosts.map((name) => Math.abs(costs[name] ?? 0)));
  return (
    <>
      <Bars
        label={t("debrief.costs")}
        heads={[t("debrief.costs"), t("debrief.costs.amount")]}
        rows={shownCosts.map((name) => ({
          id: name,
          name: t(`debrief.costs.${name}`),
          share: Math.abs(costs[name] ?? 0) / max,
          value: formatNumber(costs[name] ?? 0, { maximumFractionDigits: 0 }).replace("-", "−"),
        }))}
      />
      <Statement label="debrief.costs.people">
        <People people={people} total={total} />
      </Statement>
    </>
  );
}

function usePercent() {
  const { formatNumber } = useIntl();
  return (value: number) => formatNumber(value / 100, { style: "percent" });
}

function People({ people, total }: { people: MaskedPeople; total: number }) {
  const t = useText();
  if (people.size !== "some") return t(`debrief.people.${people.size}`);
  return t("debrief.people.some", { people: people.people, all: total });
}

function Statement({ label, children }: { label: string; children: ReactNode }) {
  const t = useText();
  return (
    <p className="mt-4 flex flex-wrap items-baseline justify-between gap-x-6 text-title print:mt-1 print:text-small">
      <span className="text-ink-soft">{t(label)}</span>
      <span className="font-strong">{children}</span>
    </p>
  );
}

interface BarRow {
  id: string;
  name: ReactNode;
  /** Share of the full width, 0 to 1. */
  share: number;
  /** Position of a line across the bar, 0 to 1. */
  tick?: number;
  value: ReactNode;
}

interface BarsProps {
  label: string;
  heads: readonly [string, string];
  rows: readonly BarRow[];
}

function Bars({ label, heads, rows }: BarsProps) {
  return (
    <table className="mt-6 w-full border-collapse tabular-nums pane:text-title print:mt-2 print:text-small">
      <caption className="sr-only">{label}</caption>
      <thead className="text-small text-ink-soft">
        <tr>
          <th scope="col" className="py-1 pr-4 text-left font-normal">
            {heads[0]}
          </th>
          <td aria-hidden="true" />
          <th scope="col" className="py-1 pl-4 text-right font-normal">
            {heads[1]}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ id, name, share, tick, value }) => (
          <tr key={id} className="border-t border-line">
            <th scope="row" className="py-2 pr-4 text-left font-normal print:py-1">
              {name}
            </th>
            <td aria-hidden="true" className="w-1/2">
              <svg
                viewBox="0 0 100 8"
                preserveAspectRatio="none"
                aria-hidden="true"
                className="block h-8 w-full print:h-4"
              >
                <rect width={Math.max(0.5, share * 100)} height="8" className="fill-ink-soft" />
                {tick === undefined ? null : (
                  <>
                    <rect x={tick * 100 - 1} width="2" height="8" className="fill-leaf" />
                    <rect x={tick * 100 - 0.4} width="0.8" height="8" className="fill-ink" />
                  </>
                )}
              </svg>
            </td>
            <td className="py-2 pl-4 text-right font-strong print:py-1">{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
