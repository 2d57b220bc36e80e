import { existsSync, readdirSync, statSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { tryLockDataDirectory } from "#server/platform/config/dataDirectory.ts";
import { flush } from "#server/platform/durableFiles.ts";
import { StartError } from "#server/platform/startError.ts";
import { postgresAccount } from "#server/postgres/account.ts";
import { findAltered, listBackup, requireSameVersion } from "#server/postgres/backup/check.ts";
import { clusterFolder } from "#server/postgres/backup/database.ts";
import { applyTombstones, backupsIn, tombstonesIn } from "#server/postgres/backup/deletions.ts";
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
   * A data directory or later backup that knows of deletions since, and of what was signed since, in
   * addition to the backups next to this one.
   */
  deletionsOf: string | null;
  onProgress: (doneBytes: number, totalBytes: number) => void;
  signal: AbortSignal;
}

export interface RestoreSummary {
  manifest: BackupManifest;
  bytes: number;
  worlds: BackupWorld[];
  /** Keys of people who deleted their account after the backup, destroyed again. */
  destroyedKeys: number;
}

/**
 * Builds a data directory from a backup: every file is compared with the manifest, and the database
 * is started once, replays what was written during the backup, gets new passwords and is stopped.
 * The directory appears under its name only when everything is durable. Throws a StartError with a
 * sentence, and leaves nothing behind.
 */
export async function restoreBackup(options: RestoreOptions): Promise<RestoreSummary> {
  const backup = resolve(options.backup);
  const into = resolve(options.into);
  const manifest = await readManifest(backup);
  requireSameVersion(backup, manifest);
  requireEmptyTarget(into, backup);
  const files = await listBackup(backup, manifest);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const partial = `${into}.partial`;
  await makeTarget(partial);
  let cluster: string | null = null;
  try {
    await requireFreeSpace(dirname(partial), bytes);
    const passwords = makePasswords();
    cluster = manifest.postgres && clusterPath(partial, postgresAccount(), passwords);
    await copyAll({ ...options, backup }, manifest, files, partial, cluster);
    const destroyedKeys = await reapplyDeletions(partial, manifest, backup, options.deletionsOf);
    await takeNewestLogFiles(partial, backup, options.deletionsOf);
    const worlds = cluster ? await takeOverCluster(cluster, passwords) : [];
    requireNewerBackup(manifest, worlds);
    if (cluster) await writePasswords(partial, passwords);
    await flushDirectories(partial);
    options.signal.throwIfAborted();
    await moveIntoPlace(partial, into);
    return { manifest, bytes, worlds, destroyedKeys };
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    if (cluster) await rm(cluster, { recursive: true, force: true });
    throw error;
  }
}

function requireEmptyTarget(into: string, backup: string): void {
  if (isWithin(into, backup) || isWithin(backup, into)) {
    throw new StartError(
      `Of ${into} and the backup, one contains the other: name another directory.`,
    );
  }
  if (existsSync(`${into}.partial`)) {
    throw new StartError(
      `${into}.partial exists, left by a restore that was interrupted or is still running: make sure that none is running, remove it, and try again.`,
    );
  }
  if (!existsSync(into)) return;
  if (!statSync(into).isDirectory()) throw new StartError(`${into} is a file: name a directory.`);
  const names = readdirSync(into);
  if (names.length === 0) return;
  if (names.includes("drydock.lock")) {
    const lock = tryLockDataDirectory(into);
    if (!lock) {
      throw new StartError(
        `A Drydock is running on ${into}. A backup is restored into an empty directory: name another, and stop that Drydock before you start the restored one.`,
      );
    }
    lock.release();
  }
  throw new StartError(
    `${into} is not empty, and nothing is ever overwritten: name a directory that is empty or does not exist yet.`,
  );
}

async function makeTarget(partial: string): Promise<void> {
  await mkdir(dirname(partial), { recursive: true });
  await mkdir(partial, { mode: 0o755 });
}

async function copyAll(
  { backup, onProgress, signal }: RestoreOptions,
  manifest: BackupManifest,
  files: readonly BackupFile[],
  partial: string,
  cluster: string | null,
): Promise<void> {
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  let done = 0;
  const onBytes = (bytes: number) => {
    done += bytes;
    onProgress(done, total);
  };
  const targetOf = (path: string) =>
    cluster && (path === clusterFolder || path.startsWith(`${clusterFolder}/`))
      ? join(cluster, path.slice(clusterFolder.length))
      : join(partial, path);
  for (const path of manifest.directories) {
    await mkdir(targetOf(path), { recursive: true, mode: 0o700 });
  }
  for (const { path, sha256 } of files) {
    signal.throwIfAborted();
    const copied = await copyFile(join(backup, path), targetOf(path), onBytes);
    if (copied?.sha256 !== sha256) throw findAltered(backup, path);
  }
  const below = files.map(({ path }) => relative(partial, targetOf(path)));
  await flushAll(partial, below, []);
}

/**
 * Tombstones added to this backup later, those of its neighbours, and those of a folder that was
 * named.
 */
async function reapplyDeletions(
  partial: string,
  manifest: BackupManifest,
  backup: string,
  deletionsOf: string | null,
): Promise<number> {
  const keys = new Set(manifest.files.map(({ path }) => path));
  const neighbours = await backupsIn(dirname(backup));
  const knowing = new Set([backup, ...neighbours, ...(deletionsOf ? [resolve(deletionsOf)] : [])]);
  let destroyed = 0;
  for (const folder of knowing)
    destroyed += await applyTombstones(partial, await tombstonesIn(folder), keys);
  return destroyed;
}

/**
 * What was signed last is told by the newest files there are: the old directory's, or those of the
 * latest backup beside this one. With the backup's own, the key would sign another history.
 */
async function takeNewestLogFiles(
  partial: string,
  backup: string,
  deletionsOf: string | null,
): Promise<void> {
  const later = (await backupsIn(dirname(backup))).filter((folder) => folder > backup);
  const newest = deletionsOf ? resolve(deletionsOf) : later.toSorted().at(-1);
  if (newest === undefined || !existsSync(newest)) return;
  for (const name of readdirSync(newest)) {
    if (!/^(ended-)?log-(key|head)-.*\.json$/.test(name)) continue;
    const into = join(partial, name);
    await rm(into, { force: true });
    await copyFile(join(newest, name), into, () => {});
    await flush(into);
  }
}

function requireNewerBackup(manifest: BackupManifest, worlds: readonly BackupWorld[]): void {
  for (const { name, leaves } of manifest.postgres?.worlds ?? []) {
    const found = worlds.find((world) => world.name === name);
    if (found && found.leaves >= leaves) continue;
    throw new StartError(
      `The restored database is not what was backed up: the log of the world ${name} has ${found?.leaves ?? 0} leaves and had ${leaves} when the backup began. Use another backup.`,
    );
  }
}

async function flushDirectories(partial: string): Promise<void> {
  const found = await walk(partial, (path) => path.startsWith(`${clusterFolder}/`));
  const directories = found.filter(({ kind }) => kind === "directory").map(({ path }) => path);
  await flushAll(partial, [], directories);
}

async function moveIntoPlace(partial: string, into: string): Promise<void> {
  try {
    await rename(partial, into);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartError(
      `${into} cannot be moved into place (${code}): if it is a mount point, name a directory below it.`,
    );
  }
  await flush(dirname(into));
}
