/**
 * `npm run record -- <folder>`: writes the closed seconds of a running world, with quotes and books,
 * into a recording that `MARKET=replay:<folder>` replays to the same index, until Ctrl-C, `--minutes`
 * or the world ends it. Exits with status 0 if the recording gives every index to the last digit, 1
 * if it does not or there is none, 2 on wrong options.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { recordWorld } from "#server/market/recordings/recordWorld.ts";
import { readConfig } from "#server/platform/config/config.ts";
import { UsageError } from "../backup/command.ts";
import { runRecordingCommand, showLine } from "./command.ts";

const usage = `Writes a running world's closed seconds, quotes and books, into a recording.

  npm run record -- <folder> [--minutes <of world time>]

<folder> is new or empty. Ctrl-C ends the recording and keeps it.
Settings: DRYDOCK_DATA and WORLD, as the world was started with.
An hour of 3 venues and 11 symbols takes about 80 MB.
Exit status: 0 the recording gives every index again; 1 it does not, or there is none; 2 wrong options.`;

process.exitCode = await runRecordingCommand(usage, async (args, signal) => {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { minutes: { type: "string" } },
  });
  const [folder, ...more] = positionals;
  if (!folder || more.length > 0) throw new UsageError("Name one folder.");
  const minutes = values.minutes ?? "";
  if (values.minutes !== undefined && !/^[1-9]\d{0,4}$/.test(minutes))
    throw new UsageError("--minutes is a whole number from 1 to 99999.");
  const { DRYDOCK_DATA, WORLD } = process.env;
  const show = showLine();
  const {
    recording,
    world,
    seconds,
    missing,
    values: comparison,
    differing,
  } = await recordWorld(readConfig({ DRYDOCK_DATA, WORLD }), {
    folder,
    signal,
    secondsMax: minutes ? 60 * Number(minutes) : null,
    onSecond: (count, secondMs) =>
      show(`${count} seconds, up to ${new Date(secondMs).toISOString()}; Ctrl-C ends it`),
  });
  show("");
  console.log(`${seconds} seconds of the world ${world}; ${missing} in between are missing.`);
  console.log(`Read back, ${differing} of ${comparison} index values differ.`);
  console.log(`Recording ${recording.hash}; ${join(folder, "README.md")} says what it is.`);
  console.log(`Replay it: WORLD=again MARKET=replay:${folder} npm start`);
  return differing === 0 ? 0 : 1;
});
