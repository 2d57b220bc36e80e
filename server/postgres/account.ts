import { accessSync, chownSync, constants, readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { StartError } from "#server/platform/startError.ts";

/**
 * The account PostgreSQL runs under. PostgreSQL refuses to run as root, so root runs it under
 * another account.
 */
export interface Account {
  uid: number;
  gid: number;
  name: string;
}

/** Null: run as the current user. As root: `postgres` if the system has it, else `nobody`. */
export function findPostgresAccount(): Account | null {
  if (process.getuid?.() !== 0) return null;
  const lines = readFileSync("/etc/passwd", "utf8").split("\n");
  for (const userName of ["postgres", "nobody"]) {
    const [name, , uid, gid] =
      lines.find((line) => line.startsWith(`${userName}:`))?.split(":") ?? [];
    if (name && Number(uid) > 0) return { name, uid: Number(uid), gid: Number(gid) };
  }
  throw new StartError(
    "PostgreSQL does not run as root, and this system has neither an account postgres nor nobody: start Drydock as another user.",
  );
}

/**
 * Chowns a file or directory to the account; does nothing if PostgreSQL runs as the current user.
 */
export function giveOwnership(path: string, account: Account | null): void {
  if (account) chownSync(path, account.uid, account.gid);
}

/** Returns true if the account can traverse every directory above `path` and read it. */
export function canTraverse(path: string, account: Account | null): boolean {
  if (!account) {
    try {
      accessSync(path, constants.R_OK);
      return true;
    } catch {
      return false;
    }
  }
  const allowed = (directory: string, bit: number) => {
    const { mode, uid, gid } = statSync(directory);
    const shift = uid === account.uid ? 6 : gid === account.gid ? 3 : 0;
    return (mode & (bit << shift)) !== 0;
  };
  if (!allowed(path, 4)) return false;
  for (let directory = dirname(path); ; directory = dirname(directory)) {
    if (!allowed(directory, 1)) return false;
    if (directory === dirname(directory)) return true;
  }
}
