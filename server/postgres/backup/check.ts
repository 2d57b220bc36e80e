import { join, resolve } from "node:path";
import { readMigrations } from "#server/platform/db/migrate.ts";
import { StartError } from "#server/platform/startError.ts";
import { findPostgresAccount } from "#server/postgres/account.ts";
import {
  getTombstoneKey,
  isTombstone,
  toTombstonePath,
} from "#server/postgres/backup/deletions.ts";
import { hashFile, walk } from "#server/postgres/backup/files.ts";
import {
  type BackupFile,
  type BackupManifest,
  manifestFiles,
  readManifest,
} from "#server/postgres/backup/manifest.ts";
import { findBinaries } from "#server/postgres/binaries.ts";

/**
 * Compares every file of a backup with its manifest; read-only. Throws a StartError at the first
 * difference.
 */
export async function checkBackup(
  folder: string,
  onProgress: (doneBytes: number, totalBytes: number) => void,
): Promise<{ manifest: BackupManifest; bytes: number }> {
  const backup = resolve(folder);
  const manifest = await readManifest(backup);
  const files = await listBackup(backup, manifest);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  let bytesDone = 0;
  const onBytes = (count: number) => {
    bytesDone += count;
    onProgress(bytesDone, bytes);
  };
  for (const file of files) {
    const sha256 = await hashFile(join(backup, file.path), onBytes);
    if (sha256 !== file.sha256) throw findAltered(backup, file.path);
  }
  return { manifest, bytes };
}

/** The error for a file that differs from the manifest. */
export function findAltered(backup: string, path: string): StartError {
  return new StartError(
    `The backup in ${backup} was altered or damaged: ${path} differs from what was written. Use another backup.`,
  );
}

/** Throws a StartError if this Drydock cannot run the database of a backup. */
export function requireSameVersion(backup: string, { postgres, drydock }: BackupManifest): void {
  if (!postgres) return;
  const ownPlatform = `${process.platform}-${process.arch}`;
  if (postgres.platform !== ownPlatform) {
    throw new StartError(
      `The backup in ${backup} was made on ${postgres.platform}, and this is ${ownPlatform}: the database's files only work on a machine of the same kind.`,
    );
  }
  const { version } = findBinaries(findPostgresAccount());
  const [backupMajor, major] = [postgres.version, version].map((text) => text.split(".")[0]);
  if (backupMajor !== major) {
    throw new StartError(
      `The backup in ${backup} belongs to PostgreSQL ${backupMajor}, and this is PostgreSQL ${major}: restore it with Drydock ${drydock}, which made it.`,
    );
  }
  const knownMigrations = new Set(readMigrations().map(({ name }) => name));
  for (const { name, migrations } of postgres.worlds) {
    const unknownMigration = migrations.find((migration) => !knownMigrations.has(migration));
    if (unknownMigration) {
      throw new StartError(
        `The backup in ${backup} is from a newer Drydock (${drydock}): its world ${name} has ${unknownMigration}, which this one does not know. Restore it with that version or a newer one.`,
      );
    }
  }
}

/**
 * A quick check for missing, truncated and extra files; contents are compared while they are
 * copied.
 */
export async function listBackup(backup: string, manifest: BackupManifest): Promise<BackupFile[]> {
  const entryByPath = new Map((await walk(backup)).map((entry) => [entry.path, entry]));
  const listedPaths = new Set([...manifestFiles, ...manifest.directories]);
  const files: BackupFile[] = [];
  for (const file of manifest.files) {
    listedPaths.add(file.path);
    const entry = entryByPath.get(file.path);
    if (
      !entry &&
      entryByPath.has(toTombstonePath(file.path)) &&
      isTombstone(toTombstonePath(file.path))
    )
      continue;
    if (entry?.kind !== "file") {
      throw new StartError(
        `The backup in ${backup} is incomplete: ${file.path} is missing. Use another backup.`,
      );
    }
    if (entry.bytes !== file.bytes) throw findAltered(backup, file.path);
    files.push(file);
  }
  for (const { path, kind } of entryByPath.values()) {
    if (listedPaths.has(path) || (isTombstone(path) && listedPaths.has(getTombstoneKey(path))))
      continue;
    if (kind === "directory" && files.some((file) => file.path.startsWith(`${path}/`))) continue;
    throw new StartError(
      `The backup in ${backup} was altered: ${path} was not there when it was made. Use another backup, or remove that file if you put it there.`,
    );
  }
  return files;
}
