/**
 * `npm run restore -- <backup> --into <directory>`: makes a data directory out of a backup. Ends
 * with status 0 when it is there and its database has started once, 1 when nothing was made, 2 when
 * it was asked wrongly.
 */
import { parseArgs } from "node:util";
import { checkBackup } from "#server/postgres/backup/check.ts";
import { sizeText } from "#server/postgres/backup/files.ts";
import type { BackupManifest } from "#server/postgres/backup/manifest.ts";
import { restoreBackup } from "#server/postgres/backup/restore.ts";
import { runCommand, showProgress, UsageError } from "./command.ts";

const usage = `Makes a data directory out of a backup, or only looks whether the backup is whole.

  npm run restore -- <backup> --into <directory> [--deletions-of <directory>]
  npm run restore -- <backup> --check

--into           a directory that is empty or not there yet; nothing is ever overwritten.
--deletions-of   the old data directory, if it can still be read, or a later backup kept elsewhere: accounts that were
                 deleted since are deleted again. Backups beside the restored one are asked by themselves.
Exit status: 0 done; 1 not done, nothing is left behind; 2 wrong options.`;

process.exitCode = await runCommand(usage, async (args, signal) => {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      into: { type: "string" },
      "deletions-of": { type: "string" },
      check: { type: "boolean", default: false },
    },
  });
  const [backup, ...more] = positionals;
  if (!backup || more.length > 0) throw new UsageError("Name one backup.");
  if (values.check === (values.into !== undefined)) throw new UsageError("Give --into or --check.");
  if (values.into === undefined) {
    const { manifest, bytes } = await checkBackup(backup, showProgress("Read"));
    console.log(`The backup of ${manifest.madeAt} is whole: ${sizeText(bytes)}.`);
    return;
  }
  const { into } = values;
  await restore({ backup, into, deletionsOf: values["deletions-of"] ?? null, signal });
});

async function restore(options: {
  backup: string;
  into: string;
  deletionsOf: string | null;
  signal: AbortSignal;
}): Promise<void> {
  const startedMs = performance.now();
  const onProgress = showProgress("Restored");
  const { manifest, bytes, worlds, destroyedKeys } = await restoreBackup({
    ...options,
    onProgress,
  });
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  console.log(
    `Restored the backup of ${manifest.madeAt} into ${options.into}: ${sizeText(bytes)}, ${seconds} s.`,
  );
  for (const { name, leaves } of worlds) console.log(`World ${name}: ${leaves} leaves of its log.`);
  if (destroyedKeys > 0) {
    console.log(`${destroyedKeys} accounts that were deleted after it are unreadable here too.`);
  }
  console.log(
    "Deletions that neither this backup nor one beside it knows of were not repeated: name the old data directory with --deletions-of if it can be read.",
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
    "Stop the old Drydock before you start this one: two of them would sign two different logs with one key.",
    ...postgres.worlds.map(
      ({ name }) => `Check:  DRYDOCK_DATA=${into} WORLD=${name} npm run audit`,
    ),
    `Start:  DRYDOCK_DATA=${into} npm start   with the settings it had before`,
  ];
}
