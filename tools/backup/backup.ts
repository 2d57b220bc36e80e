/**
 * `npm run backup -- <folder>`: copies the whole data directory, database included, into a new
 * folder, whether or not Drydock is running. Exits with status 0 once the backup is on disk, 1 if
 * there is none, 2 on wrong options.
 */
import { parseArgs } from "node:util";
import { realClock } from "#server/platform/clock/clock.ts";
import { readConfig } from "#server/platform/config/config.ts";
import { formatSize } from "#server/postgres/backup/files.ts";
import { takeBackup } from "#server/postgres/backup/take.ts";
import { runCommand, showProgress, UsageError } from "./command.ts";

const usage = `Copies the data directory, database included, whether or not Drydock is running.

  npm run backup -- <folder> [--rate <MB per second>]

The backup becomes a new folder in <folder>, named by the time in UTC. <folder> must exist.
--rate   limits the speed of the database copy, for a small machine: 1 to 1000.
Settings: DRYDOCK_DATA, and DATABASE_URL with DATABASE_OWNER_URL if Drydock is started with them.
Exit status: 0 done; 1 not done, with the reason printed; 2 wrong options.`;

process.exitCode = await runCommand(usage, async (args, signal) => {
  const { folder, rateKb } = readArguments(args);
  const { DRYDOCK_DATA, DATABASE_URL, DATABASE_OWNER_URL } = process.env;
  const config = readConfig({ DRYDOCK_DATA, DATABASE_URL, DATABASE_OWNER_URL });
  const isDatabaseExternal = config.databaseUrl !== null;
  const startedMs = performance.now();
  const { path, manifest, bytes, wasRunning, destroyedKeys } = await takeBackup({
    dataDirectory: config.dataDirectory,
    isDatabaseExternal,
    folder,
    nowMs: realClock.nowMs(),
    rateKb,
    onProgress: showProgress("Copied"),
    signal,
  });
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  console.log(
    `Backup in ${path}: ${manifest.files.length} files, ${formatSize(bytes)}, ${seconds} s${wasRunning ? ", while Drydock ran" : ""}.`,
  );
  for (const { name, leaves } of manifest.postgres?.worlds ?? []) {
    console.log(`World ${name}: at least ${leaves} leaves of its log.`);
  }
  if (destroyedKeys > 0) {
    console.log(
      `${destroyedKeys} keys of people who deleted their accounts were destroyed in earlier backups.`,
    );
  }
  if (isDatabaseExternal) {
    console.log(
      "The database is your own server: back it up with your own tools (pg_dump, pg_basebackup) before running this command, so that no file is missing. This backup holds the files and keys.",
    );
  }
  console.log("It holds every key: protect it like a password.");
});

function readArguments(args: string[]): { folder: string; rateKb: number | null } {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { rate: { type: "string" } },
  });
  const [folder, ...extraArgs] = positionals;
  if (!folder || extraArgs.length > 0) throw new UsageError("Name one folder.");
  if (values.rate === undefined) return { folder, rateKb: null };
  const rate = /^\d{1,4}$/.test(values.rate) ? Number(values.rate) : 0;
  if (rate < 1 || rate > 1_000) throw new UsageError("--rate is a whole number from 1 to 1000.");
  return { folder, rateKb: rate * 1_000 };
}
