/**
 * `npm run recordings`: fetches klines of the past from venues' public side into a folder that
 * `MARKET=replay:<folder>` reads; goes on where it was cut off. Exits with status 0 when the
 * recording is whole and checked, 1 if it is not, 2 on wrong options.
 */
import { parseArgs } from "node:util";
import { isSymbol, type MarketSymbol, symbolNames } from "#core/market/symbols.ts";
import { minuteMs } from "#core/money/time.ts";
import { fetchRecording, type RecordingRequest } from "#server/market/recordings/fetchRecording.ts";
import { readConfig } from "#server/platform/config/config.ts";
import { UsageError } from "../backup/command.ts";
import { progressBar, runRecordingCommand, showLine } from "./command.ts";

const usage = `Fetches recorded prices of real venues, one-minute candles, for MARKET=replay.

  npm run recordings -- --venues bitstamp,coinbase --symbols BTC/USD,USDT/USD \\
    --from 2023-03-10 --to 2023-03-15 --into <folder>

--venues   their names in ccxt: https://github.com/ccxt/ccxt lists them. No account, no key.
--symbols  of ${symbolNames.join(", ")}.
--from     first minute, in UTC: 2023-03-10 or 2023-03-10T12:00Z.
--to       the minute after the last one; not in the future.
--into     a new or empty folder, or one that this command was cut off in: it goes on there.
The README that it writes there says each venue's licence, what is missing, and the files' hashes.
Exit status: 0 whole and checked; 1 not, with the reason printed; 2 wrong options.`;

process.exitCode = await runRecordingCommand(usage, async (args, signal) => {
  const { folder, ...request } = readArguments(args);
  const { LIVE_FAKE_VENUES, WORLD } = process.env;
  const { liveFakeVenues } = readConfig({ LIVE_FAKE_VENUES, WORLD });
  const show = showLine();
  const startedMs = performance.now();
  const { recording, files, absent } = await fetchRecording(request, {
    folder,
    fakeVenues: liveFakeVenues,
    signal,
    onProgress: (share, what) => show(progressBar(startedMs, performance.now(), share, what)),
  });
  show("");
  for (const { name, present, missing, longestGap } of files)
    console.log(`${name}: ${present} minutes, ${missing} missing, ${longestGap} at a stretch`);
  for (const why of absent) console.log(why);
  console.log(`Recording ${recording.hash}; ${folder}/README.md says what it is.`);
  console.log(`Replay it: WORLD=past MARKET=replay:${folder} npm start`);
  return 0;
});

function readArguments(args: string[]): RecordingRequest & { folder: string } {
  const option = { type: "string" } as const;
  const { values } = parseArgs({
    args,
    options: { venues: option, symbols: option, from: option, to: option, into: option },
  });
  const { venues, symbols, from, to, into } = values;
  if (!into) throw new UsageError("--into names a folder.");
  const request = {
    folder: into,
    venues: listOf("venues", venues).map((name) => {
      if (/^[a-z0-9]{2,20}$/.test(name)) return name;
      throw new UsageError(`--venues: ${name} is not a name in ccxt, such as kraken.`);
    }),
    symbols: listOf("symbols", symbols).map((name): MarketSymbol => {
      if (isSymbol(name)) return name;
      throw new UsageError(`--symbols: Drydock knows no ${name}, only ${symbolNames.join(", ")}.`);
    }),
    fromMs: timeOf("from", from),
    toMs: timeOf("to", to),
  };
  if (request.toMs <= request.fromMs) throw new UsageError("--to is not after --from.");
  // The open minute is no kline yet.
  if (request.toMs > Math.floor(Date.now() / minuteMs) * minuteMs)
    throw new UsageError("--to is in the future.");
  return request;
}

function listOf(name: string, given: string | undefined): string[] {
  const all = [...new Set((given ?? "").split(",").map((one) => one.trim()))].filter(Boolean);
  if (all.length === 0) throw new UsageError(`--${name} names one or more, separated by commas.`);
  return all;
}

function timeOf(name: string, given = ""): number {
  const isForm = /^\d{4}-\d\d-\d\d(T\d\d:\d\dZ)?$/.test(given);
  const atMs = isForm ? Date.parse(given) : Number.NaN;
  if (Number.isNaN(atMs) || !new Date(atMs).toISOString().startsWith(given.slice(0, 10)))
    throw new UsageError(
      `--${name} is a date such as 2023-03-10, or a time such as 2023-03-10T12:00Z.`,
    );
  return atMs;
}
