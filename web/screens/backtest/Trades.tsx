import { useState } from "react";
import { useIntl } from "react-intl";
import type { HistoryOutcome, HistoryTest, HistoryTrade } from "#api/backtest.ts";
import { getHistoryTrades } from "#api/routes/backtest.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { formatNumber } from "#ui/figures/numbers.ts";
import { Section } from "#ui/Section.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { useCall } from "#web/lib/useApiQuery.ts";
import { useSentence } from "#web/lib/useErrorMessage.ts";
import { Money } from "./Money.tsx";

/** What a test traded under one friction, ten at a time, each with its legs. */
export function Trades({ test, outcome }: { test: HistoryTest; outcome: HistoryOutcome }) {
  const { formatMessage, formatNumber: format } = useIntl();
  const sentence = useSentence();
  const [page, setPage] = useState(1);
  const { friction, decisions, decisions_kept: kept } = outcome;
  const input = { run_id: test.run_id, friction, page, page_size: 10 };
  const list = useCall(getHistoryTrades, input, { keepPrevious: true });
  const cut =
    kept < decisions
      ? formatMessage(
          { id: "history.list.cut" },
          { kept: format(kept), decisions: format(decisions) },
        )
      : undefined;
  return (
    <Section title={formatMessage({ id: "history.list" })} note={cut}>
      {list.isError ? (
        <div className="p-4">
          <ErrorNote onRetry={() => void list.refetch()}>{sentence(list.error)}</ErrorNote>
        </div>
      ) : list.data ? (
        <>
          {list.data.items.map((trade) => (
            <Trade key={trade.number} trade={trade} unit={test.unit} />
          ))}
          {list.data.items.length === 0 ? (
            <p className="px-4 py-4 text-small text-ink-soft">
              {formatMessage({ id: "history.list.none" })}
            </p>
          ) : null}
          {page > 1 || list.data.has_more ? (
            <div className="flex justify-between gap-3 px-4 py-3">
              <Button
                variant="outline"
                size="small"
                disabled={page === 1}
                onClick={() => setPage(page - 1)}
              >
                {formatMessage({ id: "history.list.newer" })}
              </Button>
              <Button
                variant="outline"
                size="small"
                disabled={!list.data.has_more}
                onClick={() => setPage(page + 1)}
              >
                {formatMessage({ id: "history.list.older" })}
              </Button>
            </div>
          ) : null}
        </>
      ) : (
        <SkeletonRows count={4} />
      )}
    </Section>
  );
}

function Trade({ trade, unit }: { trade: HistoryTrade; unit: string }) {
  const { formatMessage, formatDate, locale } = useIntl();
  return (
    <div className="px-4 py-3">
      <div className="flex items-baseline justify-between gap-3">
        <span>{formatMessage({ id: `history.purpose.${trade.purpose}` })}</span>
        <Money value={trade.net} unit={unit} signed />
      </div>
      <p className="text-caption text-ink-faint">
        {formatDate(trade.at_ms, { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" })} UTC
      </p>
      <ul className="mt-1.5 flex flex-col gap-1 text-small text-ink-soft">
        {trade.legs.map((leg) => (
          <li key={`${leg.venue} ${leg.symbol}`}>
            {formatMessage(
              { id: `history.leg.${leg.side}${/^[0.]+$/.test(leg.filled) ? ".none" : ""}` },
              {
                filled: formatNumber(leg.filled, locale),
                quantity: formatNumber(leg.quantity, locale),
                symbol: leg.symbol,
                venue: leg.venue,
                fee: formatNumber(leg.fee, locale),
              },
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
