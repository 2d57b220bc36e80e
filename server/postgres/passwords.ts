import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { writeDurably } from "#server/platform/durableFiles.ts";
import { StartError } from "#server/platform/startError.ts";

/** Passwords of the three roles of an embedded cluster. */
export interface Passwords {
  admin: string;
  owner: string;
  app: string;
}

const passwordsPath = (dataDirectory: string) => join(dataDirectory, "postgres-passwords.json");

/** Returns true if an embedded database was ever created in this data directory. */
export function hasDatabase(dataDirectory: string): boolean {
  return existsSync(passwordsPath(dataDirectory));
}

/** Reads the passwords of a data directory. Throws a StartError if it has no database. */
export function readPasswords(dataDirectory: string): Passwords {
  if (!hasDatabase(dataDirectory)) throw new StartError(`${dataDirectory} has no database yet.`);
  return JSON.parse(readFileSync(passwordsPath(dataDirectory), "utf8"));
}

/**
 * Renews the passwords of a data directory for one start: the two roles of the program get new ones
 * each time, the superuser keeps its first, with which the roles' passwords can always be set.
 * Stored durably before they are set in PostgreSQL, so the next start repairs an interrupted one.
 */
export async function renewPasswords(dataDirectory: string): Promise<Passwords> {
  const newPasswords = makePasswords();
  const admin = hasDatabase(dataDirectory)
    ? readPasswords(dataDirectory).admin
    : newPasswords.admin;
  await writePasswords(dataDirectory, { ...newPasswords, admin });
  return { ...newPasswords, admin };
}

export function makePasswords(): Passwords {
  const password = () => randomBytes(24).toString("hex");
  return { admin: password(), owner: password(), app: password() };
}

/** Durable before the cluster that has them: without them no client could connect to it. */
export async function writePasswords(dataDirectory: string, passwords: Passwords): Promise<void> {
  await writeDurably(passwordsPath(dataDirectory), JSON.stringify(passwords));
}
