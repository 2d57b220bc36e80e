/**
 * `npm run recordings`: fetches klines of the past from venues' public side into a folder that
 * `MARKET=replay:<folder>` reads; continues where it was interrupted. Exits with status 0 when the
 * recording is whole and checked, 1 if it is not, 2 on wrong options.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describePresets } from "#core/market/replay/presets.ts";
import { symbolNames } from "#core/market/symbols.ts";
import { fetchRecording } from "#server/market/recordings/fetchRecording.ts";
import { formatReplayCommand, hashesFile } from "#server/market/recordings/notes.ts";
import { readConfig } from "#server/platform/config/config.ts";
import { getPresetFolder } from "#server/platform/config/settings.ts";
import { parseRecordingArguments } from "./arguments.ts";
import { formatProgressBar, runRecordingCommand, showLine } from "./command.ts";

const usage = `Fetches recorded prices of real venues, one-minute candles, for MARKET=replay.

  npm run recordings -- --venues bitstamp,coinbase --symbols BTC/USD,USDT/USD \\
    --from 2023-03-10 --to 2023-03-15 --into <folder>

Or one of the stretches that it lists when nothing is asked for:

  npm run recordings -- --preset usdc-2023

--venues   their names in ccxt: https://github.com/ccxt/ccxt lists them. No account, no key.
--symbols  of ${symbolNames.join(", ")}.
--from     first minute, in UTC: 2023-03-10 or 2023-03-10T12:00Z.
--to       the minute after the last one; not in the future.
--into     a new or empty folder, or one that this command was cut off in: it goes on there.
The README that it writes there says each venue's licence, what is missing, and the files' hashes.
Exit status: 0 whole and checked; 1 not, with the reason printed; 2 wrong options.`;

process.exitCode = await runRecordingCommand(usage, async (args, signal) => {
  if (args.length === 0) {
    console.log(describePresets((name) => existsSync(join(getPresetFolder(name), hashesFile))));
    return 0;
  }
  const { folder, ...request } = parseRecordingArguments(args, Date.now());
  const { LIVE_FAKE_VENUES, WORLD } = process.env;
  const { liveFakeVenues } = readConfig({ LIVE_FAKE_VENUES, WORLD });
  const show = showLine();
  const startedMs = performance.now();
  const { recording, files, absent } = await fetchRecording(request, {
    folder,
    fakeVenues: liveFakeVenues,
    signal,
    onProgress: (share, label) =>
      show(formatProgressBar(startedMs, performance.now(), share, label)),
  });
  show("");
  for (const { name, present, missing, longestGap } of files)
    console.log(`${name}: ${present} minutes, ${missing} missing, ${longestGap} at a stretch`);
  for (const reason of absent) console.log(reason);
  console.log(`Recording ${recording.hash}; ${folder}/README.md says what it is.`);
  console.log(`Replay it: ${formatReplayCommand("past", folder)}`);
  return 0;
});
