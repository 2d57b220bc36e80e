import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { StartError } from "#server/platform/startError.ts";

export interface DataDirectory {
  readonly path: string;
  /** Releases the lock so that another process can use the directory. */
  release(): void;
}

/** Another process holds the directory. */
class DataDirectoryInUseError extends StartError {}

/** Like `lockDataDirectory`, but returns null while another process holds the lock. */
export function tryLockDataDirectory(path: string): DataDirectory | null {
  try {
    return lockDataDirectory(path);
  } catch (error) {
    if (error instanceof DataDirectoryInUseError) return null;
    throw error;
  }
}

/**
 * Creates the data directory if it is missing and locks it for this process. A lock whose process
 * is gone (killed, or the machine restarted) is taken over. Throws a StartError if another process
 * holds it.
 */
export function lockDataDirectory(path: string): DataDirectory {
  const lock = join(path, "drydock.lock");
  const ownLine = `${process.pid} ${startedAt(process.pid) ?? ""}\n`;
  const candidate = `${lock}.${process.pid}`;
  try {
    makeDirectory(resolve(path));
    writeFileSync(candidate, ownLine, { mode: 0o644 });
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code;
    throw new StartError(
      `The data directory ${path} cannot be written (${reason}): set DRYDOCK_DATA to one that can.`,
    );
  }
  try {
    // A link is created atomically, unlike a file that is written; three attempts for lost races.
    for (let tries = 3; ; tries -= 1) {
      if (takeLink(candidate, lock)) break;
      const holder = readHolder(lock);
      if (holder?.alive) {
        throw new DataDirectoryInUseError(
          `The data directory ${path} is in use by another Drydock (process ${holder.pid}): stop that one, or set DRYDOCK_DATA to another directory.`,
        );
      }
      if (tries === 0) {
        throw new StartError(`The lock ${lock} can be neither read nor replaced: remove it.`);
      }
      moveAside(lock);
    }
  } finally {
    rmSync(candidate, { force: true });
  }
  return {
    path,
    release: () => {
      if (readText(lock) === ownLine) rmSync(lock, { force: true });
    },
  };
}

/**
 * Level by level: where the system reports "no such file" for a directory whose parent exists
 * (/proc), Node's recursive mkdir never returns.
 */
function makeDirectory(path: string): void {
  if (existsSync(path)) return;
  makeDirectory(dirname(path));
  try {
    mkdirSync(path, { mode: 0o755 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

function takeLink(candidate: string, lock: string): boolean {
  try {
    linkSync(candidate, lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

function moveAside(lock: string): void {
  const staleLock = `${lock}.stale.${process.pid}`;
  try {
    renameSync(lock, staleLock);
    rmSync(staleLock, { force: true });
  } catch {
    // Another process got there first.
  }
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

function readHolder(lock: string): { pid: number; alive: boolean } | null {
  const text = readText(lock);
  if (text === null) return null;
  const [pidText, startedText] = text.trim().split(" ");
  const pid = Number(pidText);
  if (!Number.isInteger(pid) || pid <= 0) return { pid, alive: false };
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return { pid, alive: false };
  }
  // The pid may have been reused since.
  const now = startedAt(pid);
  return {
    pid,
    alive: now === null || startedText === undefined ? pid !== process.pid : startedText === now,
  };
}

/**
 * A process's start time in kernel ticks, which distinguishes it from a later process with the same
 * pid; null if unknown.
 */
function startedAt(pid: number): string | null {
  const stat = readText(`/proc/${pid}/stat`);
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
}
