import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { gzipSync } from "node:zlib";
import type { Series } from "#core/backtest/replayMoments.ts";
import { parseBars } from "#core/market/replay/bars.ts";
import { BarSeries } from "#core/market/replay/series.ts";
import { symbols } from "#core/market/symbols.ts";
import { coversPool, cutSeries, runBacktestJob } from "#server/backtest/run.ts";
import type { Job, WorkerMessage } from "#server/backtest/types.ts";

/**
 * Runs one job in its own thread, so that the server stays responsive; terminating the thread
 * cancels the job.
 */
const post = (message: WorkerMessage) => parentPort!.postMessage(message);

function work(job: Job): WorkerMessage {
  if (job.kind === "check") {
    const result = parseBars(decode(job.bytes), symbols[job.symbol].scale);
    if (!result.ok) return { kind: "bad_line", line: result.line, fault: result.error };
    const { bars } = result;
    return {
      kind: "checked",
      minutes: bars.length,
      fromMs: bars[0]!.openMs,
      toMs: bars.at(-1)!.openMs + 60_000,
    };
  }
  const overallHash = createHash("sha256");
  const seriesList: Series[] = [];
  for (const [index, { name, venue, symbol, path }] of job.files.entries()) {
    const bytes = readFileSync(path);
    overallHash.update(`${name}\n${createHash("sha256").update(bytes).digest("hex")}\n`);
    const result = parseBars(decode(bytes), symbols[symbol].scale);
    if (!result.ok) throw new Error(`${name} was valid when uploaded and no longer is`);
    seriesList.push({ venue, symbol, bars: new BarSeries(result.bars) });
    const percent = Math.floor(((index + 1) * 10) / job.files.length);
    post({ kind: "progress", stage: "reading", percent });
  }
  const series = cutSeries(seriesList, job.fromMs, job.toMs);
  if (!coversPool(series, job.config)) return { kind: "no_data" };
  const { result, trades } = runBacktestJob(job.config, series, (progress) =>
    post({ kind: "progress", ...progress }),
  );
  return {
    kind: "ran",
    result: JSON.stringify(result),
    trades: gzipSync(JSON.stringify(trades)),
    dataHash: overallHash.digest("hex"),
    returnBp: result.outcomes.find(({ friction }) => friction === "realistic")!.return_bp,
  };
}

/**
 * Invalid UTF-8 decodes to a replacement character, which no number contains, so that the parser
 * reports its line.
 */
function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

post(work(workerData as Job));
