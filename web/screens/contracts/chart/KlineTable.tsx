import { useState } from "react";
import { useIntl } from "react-intl";
import type { Contract, Kline } from "#api/contracts.ts";
import { getKlineData } from "#api/routes/contracts.ts";
import type { Interval } from "#core/market/intervals.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { formatNumber } from "#ui/figures/numbers.ts";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { saveFile } from "#web/lib/saveFile.ts";

const rows = 20;
const refreshMs = 5_000;
const columns = ["open", "high", "low", "close", "volume"] as const;

/** The bars of a page as comma-separated values, oldest first, with prices as the server wrote them. */
function toCsv(items: readonly Kline[]): string {
  const rows = items.map(([openMs, ...values]) =>
    [new Date(openMs).toISOString(), ...columns.map((_, i) => values[i])].join(","),
  );
  return `${[["time", ...columns].join(","), ...rows].join("\n")}\n`;
}

/** The chart's bars as a table, newest first, twenty per page. */
export default function KlineTable({
  contract,
  interval,
  height,
}: {
  contract: Contract;
  interval: Interval;
  height: string;
}) {
  const t = useText();
  /** The end of each page before this one; empty on the newest page. */
  const [ends, setEnds] = useState<{ interval: Interval; at: number[] }>({ interval, at: [] });
  const endMs = ends.interval === interval ? ends.at : [];
  const before = endMs.at(-1);
  const page = useApiQuery(
    getKlineData,
    {
      contract_id: contract.contract_id,
      interval,
      limit: rows,
      ...(before === undefined ? {} : { before_ms: before }),
    },
    { keepPrevious: true, ...(before === undefined ? { refetchMs: refreshMs } : {}) },
  );
  if (page.isError) {
    return (
      <div className="p-4">
        <ErrorNote onRetry={() => void page.refetch()}>{t("contracts.chart.failed")}</ErrorNote>
      </div>
    );
  }
  if (!page.data) return <SkeletonRows count={6} />;
  const items = page.data.items.toReversed();
  const oldest = page.data.items[0]?.[0];
  return (
    <div>
      <section
        className="overflow-auto"
        style={{ height: `calc(${height} - 16px)` }}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be focusable
        tabIndex={0} // oxlint-disable-line jsx-a11y/no-noninteractive-tabindex -- a scrollable region must be focusable
        aria-label={t("contracts.chart.table")}
      >
        <Klines contract={contract} interval={interval} items={items} />
      </section>
      <div className="flex justify-between px-4 py-1">
        <Button
          variant="quiet"
          size="small"
          disabled={endMs.length === 0}
          onClick={() => setEnds({ interval, at: endMs.slice(0, -1) })}
        >
          {t("contracts.table.newer")}
        </Button>
        <Button
          variant="quiet"
          size="small"
          onClick={() =>
            saveFile(`${contract.contract_id}-${interval}.csv`, toCsv(page.data.items), "text/csv")
          }
        >
          {t("contracts.table.save")}
        </Button>
        <Button
          variant="quiet"
          size="small"
          disabled={!page.data.has_more || oldest === undefined}
          onClick={() => oldest !== undefined && setEnds({ interval, at: [...endMs, oldest] })}
        >
          {t("contracts.table.older")}
        </Button>
      </div>
    </div>
  );
}

function Klines({
  contract,
  interval,
  items,
}: {
  contract: Contract;
  interval: Interval;
  items: readonly Kline[];
}) {
  const { formatDate, locale } = useIntl();
  const t = useText();
  const time =
    interval === "1d" || interval === "1w"
      ? ({ dateStyle: "short" } as const)
      : ({ month: "numeric", day: "numeric", hour: "2-digit", minute: "2-digit" } as const);
  return (
    <table className="w-full text-right text-caption">
      <caption className="sr-only">
        {t("contracts.table.caption", { symbol: contract.symbol, interval })}
      </caption>
      <thead className="sticky top-0 bg-paper">
        <tr>
          <th scope="col" className="py-2 pr-2 pl-4 text-left font-normal text-ink-faint">
            {t("contracts.table.time")}
          </th>
          {columns.map((column) => (
            <th key={column} scope="col" className="px-2 py-2 font-normal text-ink-faint last:pr-4">
              {t(`contracts.table.${column}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="hairlines">
        {items.map(([openMs, ...values]) => (
          <tr key={openMs}>
            <th scope="row" className="py-1.5 pr-2 pl-4 text-left font-normal whitespace-nowrap">
              {formatDate(openMs, time)}
            </th>
            {columns.map((column, i) => (
              <td key={column} className="px-2 py-1.5 whitespace-nowrap last:pr-4">
                {formatNumber(String(values[i]), locale, i < 4 ? contract.price_scale : 0)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
