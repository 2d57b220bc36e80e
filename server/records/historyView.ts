import type { AnswerOf } from "#api/call.ts";
import type { getResultHistory } from "#api/records.ts";
import {
  computeHistoryGrid,
  type HistoryRange,
  historyRanges,
} from "#core/wallet/balanceHistory.ts";
import { toText } from "#server/records/accountView.ts";
import type { ProductResultsReader } from "#server/records/productLines.ts";
import type { RecordsDeps } from "#server/records/types.ts";

const flowsMax = 100;

/** An attempt's result over a range, from its start if the range reaches back to it. */
export async function readHistory(
  lines: ProductResultsReader,
  prices: RecordsDeps["market"],
  attemptId: string,
  range: HistoryRange,
): Promise<AnswerOf<typeof getResultHistory>> {
  const nowMs = prices.latest()?.secondMs ?? 0;
  const { flows: allFlows } = await lines.history(attemptId, []);
  const startMs = allFlows[0]?.atMs;
  if (startMs === undefined || nowMs <= startMs) return { points: [], flows: [] };
  // Just after the start nothing has been won or lost.
  const reachesStart = nowMs - startMs <= historyRanges[range];
  const grid = computeHistoryGrid(range, startMs, nowMs).points;
  const moments = [...(reachesStart ? [startMs + 1] : []), ...grid, nowMs + 1];
  const { results, flows } = await lines.history(attemptId, moments);
  const fromMs = reachesStart ? startMs : nowMs - historyRanges[range];
  return {
    points: moments.map((atMs, index) => [atMs, toText(results[index] ?? null)]),
    flows: flows
      .flatMap(({ atMs, to, amount }): [number, string][] =>
        amount === null || atMs < fromMs || amount === 0n
          ? []
          : [[atMs, toText(to ? -amount : amount)!]],
      )
      .slice(-flowsMax),
  };
}
