import { useIntl } from "react-intl";
import type { Backtest, BacktestOutcome, BacktestTrade } from "#api/backtest.ts";
import { getHistoryTrades } from "#api/routes/backtest.ts";
import { useText } from "#i18n/useText.ts";
import { formatNumber } from "#ui/figures/numbers.ts";
import { Section } from "#ui/Section.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { PagedList } from "#web/lib/api/PagedList.tsx";
import { useApiPages } from "#web/lib/api/useApiPages.ts";
import { BacktestAmount } from "./BacktestAmount.tsx";

/** The trades of a test under one friction, ten at a time, each with its legs. */
export function Trades({ test, outcome }: { test: Backtest; outcome: BacktestOutcome }) {
  const { formatNumber: format } = useIntl();
  const t = useText();
  const { friction, decisions, decisions_kept: keptCount } = outcome;
  const list = useApiPages(getHistoryTrades, { run_id: test.run_id, friction, page_size: 10 });
  const visibleTrades =
    keptCount < decisions
      ? t("backtest.list.cut", { kept: format(keptCount), decisions: format(decisions) })
      : undefined;
  return (
    <Section title={t("backtest.list")} note={visibleTrades}>
      <PagedList
        list={list}
        keyOf={(trade) => String(trade.number)}
        className="hairlines"
        loading={<SkeletonRows count={4} />}
        empty={<p className="px-4 py-4 text-small text-ink-soft">{t("backtest.list.none")}</p>}
      >
        {(trade) => <Trade trade={trade} unit={test.unit} />}
      </PagedList>
    </Section>
  );
}

function Trade({ trade, unit }: { trade: BacktestTrade; unit: string }) {
  const { formatDate, locale } = useIntl();
  const t = useText();
  return (
    <div className="px-4 py-3">
      <div className="flex items-baseline justify-between gap-3">
        <span>{t(`backtest.purpose.${trade.purpose}`)}</span>
        <BacktestAmount value={trade.net} unit={unit} signed />
      </div>
      <p className="text-caption text-ink-faint">
        {formatDate(trade.at_ms, { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" })} UTC
      </p>
      <ul className="mt-1.5 flex flex-col gap-1 text-small text-ink-soft">
        {trade.legs.map((leg) => (
          <li key={`${leg.venue} ${leg.symbol}`}>
            {t(`backtest.leg.${leg.side}${/^[0.]+$/.test(leg.filled) ? ".none" : ""}`, {
              filled: formatNumber(leg.filled, locale),
              quantity: formatNumber(leg.quantity, locale),
              symbol: leg.symbol,
              venue: leg.venue,
              fee: formatNumber(leg.fee, locale),
            })}
          </li>
        ))}
      </ul>
    </div>
  );
}
