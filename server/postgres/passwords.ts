import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Passwords of the three roles of an embedded cluster. */
export interface Passwords {
  admin: string;
  owner: string;
  app: string;
}

const passwordsPath = (dataDirectory: string) => join(dataDirectory, "postgres-passwords.json");

/** Whether an embedded database was ever created in this data directory. */
export function hasDatabase(dataDirectory: string): boolean {
  return existsSync(passwordsPath(dataDirectory));
}

/** Those of a data directory, created on first use. */
export function readPasswords(dataDirectory: string): Passwords {
  if (hasDatabase(dataDirectory)) {
    return JSON.parse(readFileSync(passwordsPath(dataDirectory), "utf8"));
  }
  const passwords = makePasswords();
  writePasswords(dataDirectory, passwords);
  return passwords;
}

export function makePasswords(): Passwords {
  const password = () => randomBytes(24).toString("hex");
  return { admin: password(), owner: password(), app: password() };
}

export function writePasswords(dataDirectory: string, passwords: Passwords): void {
  const path = passwordsPath(dataDirectory);
  writeFileSync(`${path}.new`, JSON.stringify(passwords), { mode: 0o600, flush: true });
  renameSync(`${path}.new`, path);
}
