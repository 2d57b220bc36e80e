/**
 * `npm run restore -- <backup> --into <directory>`: creates a data directory from a backup. Exits
 * with status 0 once it exists and its database has started once, 1 if nothing was created, 2 on
 * wrong options.
 */
import { parseArgs } from "node:util";
import { checkBackup } from "#server/postgres/backup/check.ts";
import { formatSize } from "#server/postgres/backup/files.ts";
import type { BackupManifest } from "#server/postgres/backup/manifest.ts";
import { restoreBackup } from "#server/postgres/backup/restore.ts";
import { runCommand, showProgress, UsageError } from "./command.ts";

const usage = `Creates a data directory from a backup, or only checks whether the backup is complete.

  npm run restore -- <backup> --into <directory> [--deletions-of <directory>] [--to <time>] [--archive <folder>]
  npm run restore -- <backup> --check

--into           an empty or new directory; nothing is ever overwritten.
--deletions-of   the old data directory, if it can still be read, or a later backup kept elsewhere: accounts deleted
                 since then are deleted again. Backups beside the restored one are checked automatically.
--to             a time after the backup, in UTC, such as 2026-01-31T09:30:00Z, or latest: needs the archive that
                 WAL_ARCHIVE made since.
--archive        the folder of WAL_ARCHIVE, if it is elsewhere now.
Exit status: 0 done; 1 not done, nothing is left behind; 2 wrong options.`;

process.exitCode = await runCommand(usage, async (args, signal) => {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      into: { type: "string" },
      "deletions-of": { type: "string" },
      to: { type: "string" },
      archive: { type: "string" },
      check: { type: "boolean", default: false },
    },
  });
  const [backup, ...extraArgs] = positionals;
  if (!backup || extraArgs.length > 0) throw new UsageError("Name one backup.");
  if (values.check === (values.into !== undefined)) throw new UsageError("Give --into or --check.");
  if (values.into === undefined) {
    const { manifest, bytes } = await checkBackup(backup, showProgress("Read"));
    console.log(`The backup of ${manifest.madeAt} is complete: ${formatSize(bytes)}.`);
    return;
  }
  const { into, to, archive = null } = values;
  if (archive !== null && to === undefined) throw new UsageError("--archive goes with --to.");
  await restore({
    backup,
    into,
    deletionsOf: values["deletions-of"] ?? null,
    to: to === undefined ? null : { atMs: readTime(to), folder: archive },
    signal,
  });
});

/** Null for the latest. */
function readTime(text: string): number | null {
  if (text === "latest") return null;
  const atMs = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
  if (Number.isNaN(atMs)) {
    throw new UsageError("--to is a time in UTC such as 2026-01-31T09:30:00Z, or latest.");
  }
  return atMs;
}

async function restore(options: {
  backup: string;
  into: string;
  deletionsOf: string | null;
  to: { atMs: number | null; folder: string | null } | null;
  signal: AbortSignal;
}): Promise<void> {
  const startedMs = performance.now();
  const onProgress = showProgress("Restored");
  const { manifest, bytes, worlds, destroyedKeys, toMs } = await restoreBackup({
    ...options,
    onProgress,
  });
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  console.log(
    `Restored the backup of ${manifest.madeAt} into ${options.into}: ${formatSize(bytes)}, ${seconds} s.`,
  );
  if (toMs !== null) console.log(`Everything up to ${new Date(toMs).toISOString()} is in it.`);
  for (const { name, leaves } of worlds) console.log(`World ${name}: ${leaves} leaves of its log.`);
  if (destroyedKeys > 0) {
    console.log(`${destroyedKeys} accounts deleted after the backup are unreadable here too.`);
  }
  console.log(
    "Deletions recorded neither in this backup nor in one beside it were not repeated: pass the old data directory with --deletions-of if it is readable.",
  );
  for (const line of nextSteps(manifest, options.into)) console.log(line);
}

function nextSteps({ postgres }: BackupManifest, into: string): string[] {
  if (!postgres) {
    return [
      "This backup holds files and keys only. Restore your own database server with your own tools, then start Drydock with both.",
    ];
  }
  return [
    "Stop the old Drydock before starting this one: two of them would sign two different logs with the same key.",
    ...postgres.worlds.map(
      ({ name }) => `Check:  DRYDOCK_DATA=${into} WORLD=${name} npm run audit`,
    ),
    `Start:  DRYDOCK_DATA=${into} npm start   with its previous settings`,
  ];
}
