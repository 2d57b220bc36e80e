import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Kline } from "#api/contracts.ts";
import { getKlineData } from "#api/routes/contracts.ts";
import { type Interval, intervals } from "#core/market/intervals.ts";
import { toMinorUnits } from "#core/money/decimal.ts";
import type { HistoryKline } from "#core/monte-carlo/moves.ts";
import { client } from "#web/lib/api/client.ts";
import { getWorldNowMs } from "#web/lib/worldClock.ts";

const pages = 4;
const pageSize = 500;

/** The last two thousand closed klines, in four concurrent reads. */
export function useHistory(contractId: string, interval: Interval) {
  const stepMs = intervals[interval];
  // The history of one sheet ends where it opened, so that another seed gets the same prices.
  const [openedMs] = useState(getWorldNowMs);
  const untilMs = Math.floor(openedMs / stepMs) * stepMs;
  const query = useQuery({
    queryKey: ["monte-carlo", contractId, interval, untilMs],
    queryFn: async ({ signal }) => {
      const reads = Array.from({ length: pages }, (_, page) =>
        client.call(
          getKlineData,
          {
            contract_id: contractId,
            interval,
            before_ms: untilMs - page * pageSize * stepMs,
            limit: pageSize,
          },
          { signal },
        ),
      );
      const answers = (await Promise.all(reads)).map(({ data }) => data);
      return getHistory(
        answers.flatMap(({ items }) => items),
        answers[0]?.price_scale ?? 0,
      );
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  return { stepMs, untilMs, query };
}

/** Sorted and without duplicates: pages overlap where the history has gaps. */
function getHistory(items: readonly Kline[], priceScale: number): HistoryKline[] {
  const byOpening = new Map(items.map((kline) => [kline[0], kline]));
  return [...byOpening.values()]
    .toSorted(([a], [b]) => a - b)
    .map(([openMs, open, , , close]) => ({
      openMs,
      open: toMinorUnits(open, priceScale),
      close: toMinorUnits(close, priceScale),
    }));
}
