import { existsSync, readdirSync, statSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { tryLockDataDirectory } from "#server/platform/config/dataDirectory.ts";
import { flush } from "#server/platform/durableFiles.ts";
import { StartError } from "#server/platform/startError.ts";
import { findPostgresAccount } from "#server/postgres/account.ts";
import { readUntil } from "#server/postgres/archive/rounds.ts";
import {
  type ArchivePaths,
  archiveFile,
  archivePaths,
  readArchiveNote,
} from "#server/postgres/archive/walArchive.ts";
import { findAltered, listBackup, requireSameVersion } from "#server/postgres/backup/check.ts";
import { clusterFolder } from "#server/postgres/backup/database.ts";
import {
  applyTombstones,
  getTombstoneKey,
  isTombstone,
  listBackups,
  listTombstones,
  toTombstonePath,
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
  type BackupWorld,
  readManifest,
} from "#server/postgres/backup/manifest.ts";
import { clusterPath } from "#server/postgres/embedded.ts";
import { makePasswords, writePasswords } from "#server/postgres/passwords.ts";
import { takeOverCluster } from "./restoredCluster.ts";

export interface RestoreOptions {
  backup: string;
  /** A data directory that is empty or does not exist yet. */
  into: string;
  /**
   * A data directory or later backup with later deletions and signed checkpoints, in addition to
   * the backups next to this one.
   */
  deletionsOf: string | null;
  /**
   * The time to restore to, with the archive of the data directory (WAL_ARCHIVE); `atMs` null: the
   * latest possible, `folder` null: its location when the backup was made. Null: restores only the
   * backup.
   */
  to?: { atMs: number | null; folder: string | null } | null;
  onProgress: (doneBytes: number, totalBytes: number) => void;
  signal: AbortSignal;
}

export interface RestoreSummary {
  manifest: BackupManifest;
  bytes: number;
  worlds: BackupWorld[];
  /** Keys of people who deleted their account after the backup, destroyed again. */
  destroyedKeys: number;
  /** The time it was restored to; null: as it was backed up. */
  toMs: number | null;
}

/**
 * Builds a data directory from a backup: every file is compared with the manifest, and the database
 * is started once, replays what was written during the backup, gets new passwords and is stopped.
 * The directory appears under its name only when everything is durable. Throws a StartError with a
 * sentence, and leaves nothing behind.
 */
export async function restoreBackup(options: RestoreOptions): Promise<RestoreSummary> {
  const backup = resolve(options.backup);
  const target = resolve(options.into);
  const manifest = await readManifest(backup);
  requireSameVersion(backup, manifest);
  requireEmptyTarget(target, backup);
  const to = options.to ? await findArchive(backup, manifest, options.to) : null;
  const files = await listBackup(backup, manifest);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const partialPath = `${target}.partial`;
  await makeTarget(partialPath);
  let cluster: string | null = null;
  try {
    await requireFreeSpace(dirname(partialPath), bytes);
    const passwords = makePasswords();
    cluster = manifest.postgres && clusterPath(partialPath, findPostgresAccount(), passwords);
    await copyAll({ ...options, backup }, manifest, files, partialPath, cluster);
    // The restored database's write-ahead log diverges from here.
    await rm(join(partialPath, archiveFile), { force: true });
    if (to) await copyArchivedFiles(to.archive.files, partialPath);
    const deletionSources = [options.deletionsOf, to?.archive.files ?? null].filter(
      (item) => item !== null,
    );
    // The people whom the archive adds have no key in the manifest.
    const tombstones = to ? await listTombstones(to.archive.files) : [];
    const keys = [...manifest.files.map(({ path }) => path), ...tombstones.map(getTombstoneKey)];
    const destroyedKeys = await reapplyDeletions(
      partialPath,
      new Set(keys),
      backup,
      deletionSources,
    );
    await takeNewestLogFiles(partialPath, backup, deletionSources[0] ?? null);
    const worlds = cluster ? await takeOverCluster(cluster, passwords, to) : [];
    requireNewerBackup(manifest, worlds);
    if (cluster) await writePasswords(partialPath, passwords);
    await flushDirectories(partialPath);
    options.signal.throwIfAborted();
    await moveIntoPlace(partialPath, target);
    return { manifest, bytes, worlds, destroyedKeys, toMs: to?.atMs ?? null };
  } catch (error) {
    await rm(partialPath, { recursive: true, force: true });
    if (cluster) await rm(cluster, { recursive: true, force: true });
    throw error;
  }
}

function requireEmptyTarget(target: string, backup: string): void {
  if (isWithin(target, backup) || isWithin(backup, target)) {
    throw new StartError(
      `Of ${target} and the backup, one contains the other: name another directory.`,
    );
  }
  if (existsSync(`${target}.partial`)) {
    throw new StartError(
      `${target}.partial exists, left by a restore that was interrupted or is still running: make sure that none is running, remove it, and try again.`,
    );
  }
  if (!existsSync(target)) return;
  if (!statSync(target).isDirectory())
    throw new StartError(`${target} is a file: name a directory.`);
  const names = readdirSync(target);
  if (names.length === 0) return;
  if (names.includes("drydock.lock")) {
    const lock = tryLockDataDirectory(target);
    if (!lock) {
      throw new StartError(
        `A Drydock is running on ${target}. A backup is restored into an empty directory: name another, and stop that Drydock before you start the restored one.`,
      );
    }
    lock.release();
  }
  throw new StartError(
    `${target} is not empty, and nothing is ever overwritten: name a directory that is empty or does not exist yet.`,
  );
}

async function makeTarget(partialPath: string): Promise<void> {
  await mkdir(dirname(partialPath), { recursive: true });
  await mkdir(partialPath, { mode: 0o755 });
}

async function copyAll(
  { backup, onProgress, signal }: RestoreOptions,
  manifest: BackupManifest,
  files: readonly BackupFile[],
  partialPath: string,
  cluster: string | null,
): Promise<void> {
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  let bytesDone = 0;
  const onBytes = (bytes: number) => {
    bytesDone += bytes;
    onProgress(bytesDone, total);
  };
  const computeTarget = (path: string) =>
    cluster && (path === clusterFolder || path.startsWith(`${clusterFolder}/`))
      ? join(cluster, path.slice(clusterFolder.length))
      : join(partialPath, path);
  for (const path of manifest.directories) {
    await mkdir(computeTarget(path), { recursive: true, mode: 0o700 });
  }
  for (const { path, sha256 } of files) {
    signal.throwIfAborted();
    const copiedFile = await copyFile(join(backup, path), computeTarget(path), onBytes);
    if (copiedFile?.sha256 !== sha256) throw findAltered(backup, path);
  }
  const relativePaths = files.map(({ path }) => relative(partialPath, computeTarget(path)));
  await flushAll(partialPath, relativePaths, []);
}

/**
 * Tombstones added to this backup later, those of its neighbours, and those of other folders.
 */
async function reapplyDeletions(
  partialPath: string,
  keys: ReadonlySet<string>,
  backup: string,
  others: readonly string[],
): Promise<number> {
  const neighbours = await listBackups(dirname(backup));
  const deletionSources = new Set([backup, ...neighbours, ...others.map((path) => resolve(path))]);
  let destroyed = 0;
  for (const folder of deletionSources)
    destroyed += await applyTombstones(partialPath, await listTombstones(folder), keys);
  return destroyed;
}

/**
 * Takes the log files with the newest signed head: those of the old directory, or of the latest
 * backup beside this one. With the backup's own files, the key could sign a second history.
 */
async function takeNewestLogFiles(
  partialPath: string,
  backup: string,
  deletionsOf: string | null,
): Promise<void> {
  const laterBackups = (await listBackups(dirname(backup))).filter((folder) => folder > backup);
  const newest = deletionsOf ? resolve(deletionsOf) : laterBackups.toSorted().at(-1);
  if (newest === undefined || !existsSync(newest)) return;
  for (const name of readdirSync(newest)) {
    if (!/^(ended-)?log-(key|head)-.*\.json$/.test(name)) continue;
    const targetFile = join(partialPath, name);
    await rm(targetFile, { force: true });
    await copyFile(join(newest, name), targetFile, () => {});
    await flush(targetFile);
  }
}

interface ArchiveAtTime {
  archive: ArchivePaths;
  atMs: number;
}

/** The archive that continues a backup, and the time to restore to. Throws a StartError. */
async function findArchive(
  backup: string,
  manifest: BackupManifest,
  { atMs, folder }: NonNullable<RestoreOptions["to"]>,
): Promise<ArchiveAtTime> {
  const note = readArchiveNote(backup);
  if (note === null || manifest.postgres === null) {
    throw new StartError(
      `${backup} can only be restored as it is: it was taken without WAL_ARCHIVE, so nothing leads on from it.`,
    );
  }
  const archive = archivePaths({ ...note, folder: folder ? resolve(folder) : note.folder });
  const untilMs = await readUntil(archive);
  if (untilMs === null) {
    throw new StartError(
      `There is no archive in ${archive.directory}: name the folder of WAL_ARCHIVE with --archive.`,
    );
  }
  const toIso = (ms: number) => new Date(ms).toISOString();
  const fromMs = Date.parse(manifest.madeAt);
  const wantedMs = atMs ?? untilMs;
  if (wantedMs > untilMs || wantedMs < fromMs) {
    throw new StartError(
      `This backup can be restored to a time from ${toIso(fromMs)} to ${toIso(untilMs)}, and ${toIso(wantedMs)} is not one: ${wantedMs > untilMs ? "nothing later is in the archive" : "take an earlier backup"}.`,
    );
  }
  return { archive, atMs: wantedMs };
}

/** Copies keys and pictures that were created after the backup. */
async function copyArchivedFiles(files: string, partialPath: string): Promise<void> {
  const fileEntries = await walk(files, (path) => !/^(keys|blobs)(\/|$)/.test(path));
  const copiedPaths: string[] = [];
  for (const { path, kind } of fileEntries) {
    if (kind === "directory")
      await mkdir(join(partialPath, path), { recursive: true, mode: 0o700 });
    if (kind !== "file" || isTombstone(path) || existsSync(join(partialPath, path))) continue;
    if (existsSync(join(partialPath, toTombstonePath(path)))) continue;
    if (await copyFile(join(files, path), join(partialPath, path), () => {}))
      copiedPaths.push(path);
  }
  await flushAll(partialPath, copiedPaths, []);
}

function requireNewerBackup(manifest: BackupManifest, worlds: readonly BackupWorld[]): void {
  for (const { name, leaves } of manifest.postgres?.worlds ?? []) {
    const backupWorld = worlds.find((world) => world.name === name);
    if (backupWorld && backupWorld.leaves >= leaves) continue;
    throw new StartError(
      `The restored database is not what was backed up: the log of the world ${name} has ${backupWorld?.leaves ?? 0} leaves and had ${leaves} when the backup began. Use another backup.`,
    );
  }
}

async function flushDirectories(partialPath: string): Promise<void> {
  const fileEntries = await walk(partialPath, (path) => path.startsWith(`${clusterFolder}/`));
  const directories = fileEntries
    .filter(({ kind }) => kind === "directory")
    .map(({ path }) => path);
  await flushAll(partialPath, [], directories);
}

async function moveIntoPlace(partialPath: string, target: string): Promise<void> {
  try {
    await rename(partialPath, target);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartError(
      `${target} cannot be moved into place (${code}): if it is a mount point, name a directory below it.`,
    );
  }
  await flush(dirname(target));
}
