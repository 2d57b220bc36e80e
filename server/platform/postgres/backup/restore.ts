import { existsSync, readdirSync, statSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { tryLockDataDirectory } from "#server/platform/dataDirectory.ts";
import { readMigrations } from "#server/platform/migrate.ts";
import { postgresAccount } from "#server/platform/postgres/account.ts";
import { adoptCluster } from "#server/platform/postgres/backup/adopt.ts";
import { clusterFolder } from "#server/platform/postgres/backup/database.ts";
import {
  applyMarks,
  backupsIn,
  isMark,
  keyOfMark,
  markOfKey,
  marksIn,
} from "#server/platform/postgres/backup/deletions.ts";
import {
  copyFile,
  flush,
  flushAll,
  hashFile,
  isWithin,
  requireRoom,
  walk,
} from "#server/platform/postgres/backup/files.ts";
import {
  type BackupFile,
  type BackupManifest,
  type BackupWorld,
  manifestFiles,
  readManifest,
} from "#server/platform/postgres/backup/manifest.ts";
import { findBinaries } from "#server/platform/postgres/binaries.ts";
import { clusterPath, makePasswords, writePasswords } from "#server/platform/postgres/embedded.ts";
import { StartError } from "#server/platform/startError.ts";

export interface RestoreOptions {
  backup: string;
  /** A data directory that is empty or not there yet. */
  into: string;
  /** A data directory or a later backup that knows of deletions since, beside those that lie in the backup's folder. */
  deletionsOf: string | null;
  onProgress: (doneBytes: number, totalBytes: number) => void;
  signal: AbortSignal;
}

export interface Restored {
  manifest: BackupManifest;
  bytes: number;
  worlds: BackupWorld[];
  /** Keys of people who deleted their account after the backup, destroyed again. */
  destroyedKeys: number;
}

/**
 * Makes a data directory out of a backup: every file is compared with the manifest, the database is started once, replays what
 * was written during the backup, gets new passwords and is stopped. The directory appears under its name only when all of it is on
 * the disk. Throws a StartError with a sentence, and leaves nothing behind.
 */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const backup = resolve(options.backup);
  const into = resolve(options.into);
  const manifest = await readManifest(backup);
  refuseOtherVersion(backup, manifest);
  refuseTarget(into, backup);
  const files = await listBackup(backup, manifest);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const partial = `${into}.partial`;
  await makeTarget(partial);
  let cluster: string | null = null;
  try {
    await requireRoom(partial, bytes);
    const passwords = makePasswords();
    cluster = manifest.postgres && clusterPath(partial, postgresAccount(), passwords);
    await copyAll({ ...options, backup }, manifest, files, partial, cluster);
    const destroyedKeys = await deleteAgain(partial, manifest, backup, options.deletionsOf);
    const worlds = cluster ? await adoptCluster(cluster, passwords) : [];
    refuseLess(manifest, worlds);
    if (cluster) writePasswords(partial, passwords);
    await flushDirectories(partial);
    options.signal.throwIfAborted();
    await putInPlace(partial, into);
    return { manifest, bytes, worlds, destroyedKeys };
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    if (cluster) await rm(cluster, { recursive: true, force: true });
    throw error;
  }
}

/** Compares every file of a backup with its manifest and changes nothing. Throws a StartError at the first difference. */
export async function checkBackup(
  folder: string,
  onProgress: RestoreOptions["onProgress"],
): Promise<{ manifest: BackupManifest; bytes: number }> {
  const backup = resolve(folder);
  const manifest = await readManifest(backup);
  const files = await listBackup(backup, manifest);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  let done = 0;
  const onBytes = (more: number) => {
    done += more;
    onProgress(done, bytes);
  };
  for (const file of files) {
    const sha256 = await hashFile(join(backup, file.path), onBytes);
    if (sha256 !== file.sha256) throw altered(backup, file.path);
  }
  return { manifest, bytes };
}

function altered(backup: string, path: string): StartError {
  return new StartError(
    `The backup in ${backup} was altered or is damaged: ${path} is not what was written. Take another backup.`,
  );
}

function refuseOtherVersion(backup: string, { postgres, drydock }: BackupManifest): void {
  if (!postgres) return;
  const here = `${process.platform}-${process.arch}`;
  if (postgres.platform !== here) {
    throw new StartError(
      `The backup in ${backup} was made on ${postgres.platform}, and this is ${here}: the database's files only work on a machine of the same kind.`,
    );
  }
  const { version } = findBinaries(postgresAccount());
  const [made, major] = [postgres.version, version].map((text) => text.split(".")[0]);
  if (made !== major) {
    throw new StartError(
      `The backup in ${backup} belongs to PostgreSQL ${made}, and this is PostgreSQL ${major}: restore it with Drydock ${drydock}, which made it.`,
    );
  }
  const known = new Set(readMigrations().map(({ name }) => name));
  for (const { name, migrations } of postgres.worlds) {
    const unknown = migrations.find((migration) => !known.has(migration));
    if (unknown) {
      throw new StartError(
        `The backup in ${backup} is of a newer Drydock (${drydock}): its world ${name} has ${unknown}, which this one does not know. Restore it with that version or a newer one.`,
      );
    }
  }
}

function refuseTarget(into: string, backup: string): void {
  if (isWithin(into, backup) || isWithin(backup, into)) {
    throw new StartError(`${into} and the backup lie in each other: name another directory.`);
  }
  if (existsSync(`${into}.partial`)) {
    throw new StartError(
      `${into}.partial is there, left by a restore that was cut short or still runs: remove it when none runs, and try again.`,
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
        `A Drydock runs on ${into}. A backup is restored into an empty directory: name another, and stop that Drydock before you start the restored one.`,
      );
    }
    lock.release();
  }
  throw new StartError(
    `${into} is not empty, and nothing is ever overwritten: name a directory that is empty or not there yet.`,
  );
}

/** Sees at a glance what is missing, too short or too much; contents are compared while they are copied. */
async function listBackup(backup: string, manifest: BackupManifest): Promise<BackupFile[]> {
  const there = new Map((await walk(backup)).map((found) => [found.path, found]));
  const listed = new Set([...manifestFiles, ...manifest.directories]);
  const files: BackupFile[] = [];
  for (const file of manifest.files) {
    listed.add(file.path);
    const found = there.get(file.path);
    if (!found && there.has(markOfKey(file.path)) && isMark(markOfKey(file.path))) continue;
    if (found?.kind !== "file") {
      throw new StartError(
        `The backup in ${backup} is not whole: ${file.path} is missing. Take another backup.`,
      );
    }
    if (found.bytes !== file.bytes) throw altered(backup, file.path);
    files.push(file);
  }
  for (const { path, kind } of there.values()) {
    if (listed.has(path) || (isMark(path) && listed.has(keyOfMark(path)))) continue;
    if (kind === "directory" && files.some((file) => file.path.startsWith(`${path}/`))) continue;
    throw new StartError(
      `The backup in ${backup} was altered: ${path} was not there when it was made. Take another backup, or remove that file if you put it there.`,
    );
  }
  return files;
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
  const placeOf = (path: string) =>
    cluster && (path === clusterFolder || path.startsWith(`${clusterFolder}/`))
      ? join(cluster, path.slice(clusterFolder.length))
      : join(partial, path);
  for (const path of manifest.directories) {
    await mkdir(placeOf(path), { recursive: true, mode: 0o700 });
  }
  for (const { path, sha256 } of files) {
    signal.throwIfAborted();
    const copied = await copyFile(join(backup, path), placeOf(path), onBytes);
    if (copied?.sha256 !== sha256) throw altered(backup, path);
  }
  const below = files.map(({ path }) => relative(partial, placeOf(path)));
  await flushAll(partial, below, []);
}

/** Marks that came into this backup later, those of its neighbours, and those of a folder that was named. */
async function deleteAgain(
  partial: string,
  manifest: BackupManifest,
  backup: string,
  deletionsOf: string | null,
): Promise<number> {
  const keys = new Set(manifest.files.map(({ path }) => path));
  const neighbours = await backupsIn(dirname(backup));
  const knowing = new Set([backup, ...neighbours, ...(deletionsOf ? [resolve(deletionsOf)] : [])]);
  let destroyed = 0;
  for (const folder of knowing) destroyed += await applyMarks(partial, await marksIn(folder), keys);
  return destroyed;
}

function refuseLess(manifest: BackupManifest, worlds: readonly BackupWorld[]): void {
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

async function putInPlace(partial: string, into: string): Promise<void> {
  try {
    await rename(partial, into);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartError(
      `${into} cannot be put in place (${code}): when it is where a disk is attached, name a directory below it.`,
    );
  }
  await flush(dirname(into));
}
