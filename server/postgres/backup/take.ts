import { existsSync, readFileSync } from "node:fs";
import { mkdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { flush } from "#server/platform/durableFiles.ts";
import { lastBackupFile, writeLastBackup } from "#server/platform/lastBackup.ts";
import { StartError } from "#server/platform/startError.ts";
import { copyCluster, reachDatabase, readFacts } from "#server/postgres/backup/database.ts";
import {
  applyTombstones,
  backupName,
  getTombstoneKey,
  isTombstone,
  listBackups,
  listTombstones,
} from "#server/postgres/backup/deletions.ts";
import {
  copyFile,
  flushAll,
  isWithin,
  requireFreeSpace,
  walk,
} from "#server/postgres/backup/files.ts";
import {
  type BackupFile,
  type BackupManifest,
  formatVersion,
  writeManifest,
} from "#server/postgres/backup/manifest.ts";

export interface BackupOptions {
  dataDirectory: string;
  /** The database is external (`DATABASE_URL`): only the files outside it are copied. */
  isDatabaseExternal: boolean;
  /** An existing folder; the backup becomes a folder in it. */
  folder: string;
  /** Real time. */
  nowMs: number;
  /** Kilobytes of the database per second; null: unlimited. */
  rateKb: number | null;
  /** `totalBytes` is an estimate. */
  onProgress: (doneBytes: number, totalBytes: number) => void;
  signal: AbortSignal;
}

export interface TakenBackup {
  path: string;
  manifest: BackupManifest;
  bytes: number;
  /** Null: the database is external. */
  wasRunning: boolean | null;
  /** Keys of people deleted since, destroyed in earlier backups next to this one. */
  destroyedKeys: number;
}

/**
 * Copies a whole data directory, whether Drydock is running or not: first the database, then the
 * files that its rows refer to. A file is written before the row that refers to it and removed
 * after it, so only files deleted during the backup are missing. The backup appears under its name
 * only when everything is durable. Throws a StartError with a sentence and leaves no files behind.
 */
export async function takeBackup(options: BackupOptions): Promise<TakenBackup> {
  const dataDirectory = resolve(options.dataDirectory);
  const folder = resolve(options.folder);
  await requireFolder(folder, dataDirectory);
  const path = join(folder, backupName(options.nowMs));
  const partialPath = `${path}.partial`;
  if (existsSync(path)) throw new StartError(`${path} already exists: wait a second.`);
  await mkdir(partialPath, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    throw new StartError(
      `${partialPath} cannot be created (${error.code}): check that you may write to ${folder}.`,
    );
  });
  let backupResult: Awaited<ReturnType<typeof fill>>;
  try {
    backupResult = await fill(partialPath, { ...options, dataDirectory });
    await rename(partialPath, path);
    await flush(folder);
  } catch (error) {
    await rm(partialPath, { recursive: true, force: true });
    throw error;
  }
  const { manifest, wasRunning } = backupResult;
  const bytes = manifest.files.reduce((sum, file) => sum + file.bytes, 0);
  const destroyedKeys = await copyDeletions(folder, path).catch((error: Error) => {
    throw new StartError(
      `The backup in ${path} is complete, but keys of people who deleted their account could not be destroyed in the earlier ones next to it: ${error.message}. Fix that and take another, or delete the earlier ones.`,
    );
  });
  await writeLastBackup(dataDirectory, { atMs: options.nowMs, bytes });
  return { path, manifest, bytes, wasRunning, destroyedKeys };
}

async function requireFolder(folder: string, dataDirectory: string): Promise<void> {
  const stats = await stat(folder).catch(() => null);
  if (!stats?.isDirectory()) {
    throw new StartError(
      `There is no folder ${folder}: create it, or attach its disk, and try again.`,
    );
  }
  if (isWithin(folder, dataDirectory)) {
    throw new StartError(
      `${folder} is inside the data directory and would be lost with it: name a folder elsewhere, preferably on another disk.`,
    );
  }
}

async function fill(
  partialPath: string,
  options: BackupOptions,
): Promise<{ manifest: BackupManifest; wasRunning: boolean | null }> {
  const { dataDirectory, signal } = options;
  const before = await listFiles(dataDirectory);
  let bytesDone = 0;
  let total = before.reduce((sum, { bytes }) => sum + bytes, 0);
  const onBytes = (bytes: number) => {
    bytesDone += bytes;
    options.onProgress(bytesDone, Math.max(bytesDone, total));
  };
  const begin = async (clusterBytes: number) => {
    total += clusterBytes;
    await requireFreeSpace(dirname(partialPath), total);
  };
  const database = options.isDatabaseExternal
    ? null
    : await copyDatabase(partialPath, options, begin, onBytes);
  if (!database) await begin(0);
  const copiedFiles = await copyFiles(dataDirectory, partialPath, onBytes, signal);
  const manifest: BackupManifest = {
    practice: true,
    format: formatVersion,
    drydock: drydockVersion(),
    madeAt: new Date(options.nowMs).toISOString(),
    postgres: database?.postgres ?? null,
    directories: [...(database?.directories ?? []), ...copiedFiles.directories],
    files: [...(database?.files ?? []), ...copiedFiles.files],
  };
  for (const directory of manifest.directories) {
    await mkdir(join(partialPath, directory), { recursive: true, mode: 0o700 });
  }
  await writeManifest(partialPath, manifest);
  await flushAll(
    partialPath,
    manifest.files.map((file) => file.path),
    manifest.directories,
  );
  signal.throwIfAborted();
  return { manifest, wasRunning: database?.running ?? null };
}

async function copyDatabase(
  partialPath: string,
  options: BackupOptions,
  begin: (bytes: number) => Promise<void>,
  onBytes: (bytes: number) => void,
) {
  const connection = await reachDatabase(options.dataDirectory);
  try {
    const { adminUrl } = connection;
    const facts = await readFacts(adminUrl);
    const { rateKb, signal } = options;
    const copyResult = await copyCluster({
      adminUrl,
      folder: partialPath,
      rateKb,
      begin,
      onBytes,
      signal,
    });
    const platform = `${process.platform}-${process.arch}`;
    const { endPosition, files, directories } = copyResult;
    return {
      running: connection.running,
      postgres: { ...facts, platform, endPosition },
      files,
      directories,
    };
  } catch (error) {
    if (error instanceof StartError || signalled(options)) throw error;
    throw new StartError(
      `The database could not be copied: ${(error as Error).message}. Nothing was kept; try again once Drydock is running well.`,
    );
  } finally {
    await connection.release();
  }
}

const signalled = ({ signal }: BackupOptions) => signal.aborted;

/**
 * Specific to a machine or a run: the database's own directory (copied by its server), its
 * passwords, locks, sockets, partial files, the note of the last backup.
 */
function isExcluded(path: string): boolean {
  return (
    /^(postgres|postgres\.password|postgres-lies-elsewhere\.txt)$/.test(path) ||
    path === lastBackupFile ||
    /^(drydock\.lock|postgres-passwords\.json)(\..+)?$/.test(path) ||
    /\.(part|partial|sock)$/.test(path)
  );
}

async function listFiles(dataDirectory: string) {
  if (!existsSync(dataDirectory)) {
    throw new StartError(
      `There is no data directory ${dataDirectory}: set DRYDOCK_DATA to the one that Drydock runs with.`,
    );
  }
  return walk(dataDirectory, isExcluded);
}

async function copyFiles(
  dataDirectory: string,
  partialPath: string,
  onBytes: (bytes: number) => void,
  signal: AbortSignal,
): Promise<{ files: BackupFile[]; directories: string[] }> {
  const files = new Map<string, BackupFile>();
  const directories: string[] = [];
  for (const { path, kind } of await listFiles(dataDirectory)) {
    signal.throwIfAborted();
    if (kind === "directory") directories.push(path);
    if (kind !== "file") continue;
    const copiedFile = await copyFile(join(dataDirectory, path), join(partialPath, path), onBytes);
    if (copiedFile) files.set(path, { path, ...copiedFile });
    // Names are sorted, so a key that was just being destroyed was copied before its tombstone.
    if (isTombstone(path) && files.delete(getTombstoneKey(path))) {
      await applyTombstones(partialPath, [path], new Set());
    }
  }
  return { files: [...files.values()], directories };
}

/** People who deleted their account since an earlier backup are deleted from it too. */
async function copyDeletions(folder: string, latest: string): Promise<number> {
  const marks = await listTombstones(latest);
  let destroyed = 0;
  for (const earlierBackup of await listBackups(folder)) {
    if (earlierBackup !== latest)
      destroyed += await applyTombstones(earlierBackup, marks, new Set());
  }
  return destroyed;
}

function drydockVersion(): string {
  const path = join(import.meta.dirname, "../../../package.json");
  return (JSON.parse(readFileSync(path, "utf8")) as { version: string }).version;
}
