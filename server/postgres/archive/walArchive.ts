import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import * as z from "zod/mini";
import { writeDurably } from "#server/platform/durableFiles.ts";
import { StartError } from "#server/platform/startError.ts";
import {
  type Account,
  canTraverse,
  findPostgresAccount,
  giveOwnership,
} from "#server/postgres/account.ts";

/**
 * Where the write-ahead log of a data directory is kept since a backup, so that the database can be
 * restored to any time after it. In the data directory and in its backups, but not in a restored
 * one: that one continues with its own log under its own id.
 */
const note = z.object({ folder: z.string(), id: z.string().check(z.regex(/^[0-9a-f]{16}$/)) });
export type ArchiveNote = z.infer<typeof note>;

export const archiveFile = "wal-archive.json";

/** Null if nothing is archived. Throws a StartError if the note is damaged. */
export function readArchiveNote(directory: string): ArchiveNote | null {
  const path = join(directory, archiveFile);
  if (!existsSync(path)) return null;
  try {
    return note.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch {
    throw new StartError(
      `${path} is damaged: remove it, and take a backup once Drydock runs; the archive before it is then of no use.`,
    );
  }
}

/** The parts of an archive. */
export interface ArchivePaths {
  directory: string;
  /** Segments, written by PostgreSQL's account. */
  wal: string;
  /** Keys and pictures, and the log's own files. */
  files: string;
  /** The file with the time up to which the archive is complete. */
  until: string;
}

export function archivePaths({ folder, id }: ArchiveNote): ArchivePaths {
  const directory = join(folder, `wal-${id}`);
  return {
    directory,
    wal: join(directory, "segments"),
    files: join(directory, "files"),
    until: join(directory, "until.json"),
  };
}

/**
 * Notes in the data directory where to archive, before its database starts: `folder` as set, null
 * for nowhere. Another folder, or none in between, begins another archive. Throws a StartError if the
 * folder cannot be used.
 */
export async function writeArchiveNote(
  dataDirectory: string,
  folder: string | null,
): Promise<void> {
  const archiveNote = readArchiveNote(dataDirectory);
  if (folder === null) return rmSync(join(dataDirectory, archiveFile), { force: true });
  const absolute = resolve(folder);
  if (!existsSync(absolute)) {
    throw new StartError(
      `WAL_ARCHIVE is wrong: there is no folder ${absolute}; create it, or attach its disk.`,
    );
  }
  if (`${absolute}/`.startsWith(`${resolve(dataDirectory)}/`)) {
    throw new StartError(
      `WAL_ARCHIVE is inside the data directory and would be lost with it: name a folder elsewhere, preferably on another disk.`,
    );
  }
  const isSame = archiveNote?.folder === absolute && existsSync(archivePaths(archiveNote).wal);
  const activeNote = isSame
    ? archiveNote
    : { folder: absolute, id: randomBytes(8).toString("hex") };
  makeFolders(archivePaths(activeNote), findPostgresAccount());
  if (!isSame)
    await writeDurably(join(dataDirectory, archiveFile), `${JSON.stringify(activeNote)}\n`);
}

function makeFolders({ directory, wal, files }: ArchivePaths, account: Account | null): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o711 });
    mkdirSync(files, { recursive: true, mode: 0o700 });
    mkdirSync(wal, { recursive: true, mode: 0o700 });
    giveOwnership(wal, account);
  } catch (error) {
    throw new StartError(
      `WAL_ARCHIVE is wrong: ${dirname(directory)} cannot be written (${(error as NodeJS.ErrnoException).code}).`,
    );
  }
  if (canTraverse(wal, account)) return;
  throw new StartError(
    `WAL_ARCHIVE is wrong: the account ${account?.name}, which runs PostgreSQL, cannot enter ${directory}: let it pass through the folders above, or start Drydock as another user.`,
  );
}

/** Segments that wait while the archive cannot be written: 2 GB; more would fill the data's disk. */
const waitingMax = 128;

const shellQuote = (path: string) => `'${path.replaceAll("'", "'\\''").replaceAll("%", "%%")}'`;

/**
 * Settings of a PostgreSQL that archives. A segment that already exists was archived just before a
 * crash. Once too many wait, the oldest are dropped: the instance keeps running, and only a restore
 * across that gap is refused.
 */
export function archiveSettings(archive: ArchiveNote): Record<string, string> {
  const command = [
    `d=${shellQuote(archivePaths(archive).wal)}`,
    `f="$d/%f.gz"`,
    `if [ -f "$f" ]; then gzip -dc "$f" | cmp -s - "%p" && exit 0`,
    `else gzip -1c "%p" > "$f.part" && sync "$f.part" && mv "$f.part" "$f" && sync "$d" && exit 0`,
    "fi",
    `[ "$(ls pg_wal/archive_status | grep -c ready)" -gt ${waitingMax} ]`,
  ].join("; ");
  return { archive_mode: "on", archive_command: command };
}

/** Settings of a PostgreSQL that replays an archive up to a time and then runs on its own. */
export function recoverySettings({ wal }: ArchivePaths, toMs: number): Record<string, string> {
  return {
    restore_command: `f=${shellQuote(wal)}/%f.gz; [ -f "$f" ] && gzip -dc "$f" > "%p"`,
    // The form of ISO 8601 with T and Z is not taken here.
    recovery_target_time: new Date(toMs).toISOString().replace("T", " ").replace("Z", "+00"),
    recovery_target_action: "promote",
    // No request is answered until the archive has been replayed.
    hot_standby: "off",
  };
}
