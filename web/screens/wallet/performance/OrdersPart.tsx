import { useState } from "react";
import { useIntl } from "react-intl";
import { useText } from "#i18n/useText.ts";
import { Amount } from "#ui/figures/Amount.tsx";
import { Row } from "#ui/Row.tsx";
import { Link } from "#ui/router.tsx";
import { Section } from "#ui/Section.tsx";
import { percentOrdersMin } from "#web/features/money/percentOrdersMin.ts";
import { TotalChart } from "../TotalChart.tsx";
import type { Results } from "./csv.ts";
import { HoursHeat } from "./HoursHeat.tsx";

type Orders = Results["orders"];
type Sums = Orders["total"];

/** Orders by market and tier: share right beside break-even, what luck does, what costs took. */
export function OrdersPart({ results, records }: { results: Orders; records: string }) {
  const t = useText();
  const percent = usePercent();
  const shareRight = useShareRight();
  const { total, groups, line, hours } = results;
  const postings = `/wallet-record?group=contract${records}`;
  const amount = (value: string, signed = false) => (
    <Amount value={value} coin="pUSDT" signed={signed} toned={signed} />
  );
  const decidedCount = total.won + total.lost;
  return (
    <div className="wide:grid wide:grid-cols-2 wide:items-start wide:gap-x-6">
      <div className="min-w-0">
        <Section title={t("performance.orders")}>
          <Row
            label={t("performance.net")}
            hint={t("performance.count", { count: total.orders })}
            value={<span className="font-strong">{amount(total.net, true)}</span>}
            to={postings}
          />
          {decidedCount > 0 && total.break_even_bp !== null ? (
            <Row
              label={t("performance.right")}
              hint={
                decidedCount < percentOrdersMin
                  ? undefined
                  : t("performance.right.of", { won: total.won, decided: decidedCount })
              }
              value={shareRight(total.won, decidedCount)}
              valueHint={t("performance.break_even", { share: percent(total.break_even_bp) })}
              to={postings}
            />
          ) : null}
          {total.luck_bp === null ? null : (
            <Row
              label={t("performance.luck")}
              hint={t("performance.luck.hint", { won: total.won, decided: decidedCount })}
              value={percent(total.luck_bp)}
              to={postings}
            />
          )}
          <Row label={t("performance.fees")} value={amount(total.fees)} to={postings} />
          <Row
            label={t("performance.spread")}
            hint={t("performance.spread.hint")}
            value={amount(total.spread)}
            to={postings}
          />
        </Section>
        {line.length > 1 ? <NetLine line={line} /> : null}
      </div>
      <div className="min-w-0 max-wide:mt-8">
        <Section title={t("performance.groups")}>
          <Groups groups={groups} />
        </Section>
        <Section title={t("performance.hours")} note={t("performance.hours.note")} kind="plain">
          <HoursHeat hours={hours} />
        </Section>
      </div>
    </div>
  );
}

function Groups({ groups }: { groups: Orders["groups"] }) {
  const t = useText();
  const percent = usePercent();
  const shareRight = useShareRight();
  const length = useLength();
  return (
    <table className="w-full text-small">
      <caption className="sr-only">{t("performance.groups")}</caption>
      <thead className="text-left text-caption text-ink-faint">
        <tr>
          <th scope="col" className="py-2 pl-4 font-normal">
            {t("performance.group")}
          </th>
          <th scope="col" className="py-2 text-right font-normal">
            {t("performance.right")}
          </th>
          <th scope="col" className="py-2 pr-4 text-right font-normal">
            {t("performance.net")}
          </th>
        </tr>
      </thead>
      <tbody className="hairlines">
        {groups.map((group) => {
          const decidedCount = group.won + group.lost;
          return (
            <tr key={`${group.contract_id} ${group.tier_seconds}`}>
              <th scope="row" className="pl-4 text-left font-normal">
                <Link
                  to={`/business/orders?status=over&contract_id=${group.contract_id}`}
                  className="block py-2 text-signal-ink hover:underline"
                >
                  {group.symbol} · {length(group.tier_seconds)}
                  <span className="block text-caption text-ink-faint">
                    {t("performance.count", { count: group.orders })}
                  </span>
                </Link>
              </th>
              <td className="py-2 text-right">
                {decidedCount === 0 ? "—" : shareRight(group.won, decidedCount)}
                {group.break_even_bp === null ? null : (
                  <span className="block text-caption text-ink-faint">
                    {t("performance.break_even", { share: percent(group.break_even_bp) })}
                  </span>
                )}
                {decidedCount === 0 ? null : <ShareBar group={group} />}
              </td>
              <td className="py-2 pr-4 text-right align-top">
                <Amount value={group.net} coin="pUSDT" signed toned bare />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** The share right as a bar, with break-even as a line across it. */
function ShareBar({ group }: { group: Pick<Sums, "won" | "lost" | "break_even_bp"> }) {
  const share = group.won / (group.won + group.lost);
  const breakEven = (group.break_even_bp ?? 0) / 10_000;
  return (
    <svg viewBox="0 0 80 6" className="ml-auto block h-1.5 w-20 text-ink-soft" aria-hidden="true">
      <rect y="1" width="80" height="4" className="fill-well" />
      <rect y="1" width={80 * share} height="4" fill="currentColor" />
      <rect x={80 * breakEven - 0.75} width="1.5" height="6" className="fill-ink" />
    </svg>
  );
}

function NetLine({ line }: { line: Orders["line"] }) {
  const t = useText();
  const { formatDate, formatNumber } = useIntl();
  const [chosenIndex, setChosenIndex] = useState<number | null>(null);
  const [atMs, net] = line[chosenIndex ?? line.length - 1]!;
  const time = (ms: number) => formatDate(ms, { dateStyle: "medium", timeStyle: "short" });
  const describe = (index: number) => {
    const [ms, value] = line[index]!;
    return t("performance.line.point", { time: time(ms), net: formatNumber(Number(value)) });
  };
  return (
    <Section title={t("performance.line")} kind="plain">
      <p className="flex justify-between gap-3 text-small">
        <span className="text-ink-faint">{time(atMs)}</span>
        <Amount value={net} coin="pUSDT" signed toned />
      </p>
      <TotalChart
        points={line}
        chosen={chosenIndex}
        onChoose={setChosenIndex}
        describe={describe}
        label={t("performance.line")}
      />
    </Section>
  );
}

function usePercent(): (bp: number) => string {
  const { formatNumber } = useIntl();
  return (bp) => formatNumber(bp / 10_000, { style: "percent", maximumFractionDigits: 1 });
}

/** The share of decided orders that were right; of fewer than ten, their count. */
function useShareRight(): (won: number, decided: number) => string {
  const t = useText();
  const percent = usePercent();
  return (wonCount, decidedCount) =>
    decidedCount < percentOrdersMin
      ? t("performance.right.few", { won: wonCount, decided: decidedCount })
      : percent((wonCount * 10_000) / decidedCount);
}

/** A tier's length in one unit. */
function useLength(): (seconds: number) => string {
  const { formatNumber } = useIntl();
  return (seconds) => {
    const [unit, size] =
      seconds % 86_400 === 0
        ? (["day", 86_400] as const)
        : seconds % 3_600 === 0
          ? (["hour", 3_600] as const)
          : seconds % 60 === 0
            ? (["minute", 60] as const)
            : (["second", 1] as const);
    return formatNumber(seconds / size, { style: "unit", unit, unitDisplay: "short" });
  };
}
