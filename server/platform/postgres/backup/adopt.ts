import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { give, postgresAccount } from "#server/platform/postgres/account.ts";
import { readFacts } from "#server/platform/postgres/backup/database.ts";
import { walk } from "#server/platform/postgres/backup/files.ts";
import type { BackupWorld } from "#server/platform/postgres/backup/manifest.ts";
import { findBinaries } from "#server/platform/postgres/binaries.ts";
import { durable, prepareSocketDirectory } from "#server/platform/postgres/embedded.ts";
import type { Passwords } from "#server/platform/postgres/passwords.ts";
import { runPostgres } from "#server/platform/postgres/process.ts";
import { StartError } from "#server/platform/startError.ts";

/**
 * Starts a cluster that was just copied out of a backup, lets it replay the write-ahead log of the backup's time, gives its
 * superuser the new password and stops it. The old passwords are not in the backup; meanwhile it takes whoever can reach its socket,
 * which lies in a directory of PostgreSQL's account alone. Gives the worlds in it.
 */
export async function adoptCluster(cluster: string, passwords: Passwords): Promise<BackupWorld[]> {
  const account = postgresAccount();
  give(cluster, account);
  for (const { path } of await walk(cluster)) give(join(cluster, path), account);
  const socketDirectory = prepareSocketDirectory(cluster, account);
  const trust = join(socketDirectory, "pg_hba.conf");
  writeFileSync(trust, "local all postgres trust\n", { mode: 0o600 });
  give(trust, account);
  const adminUrl = `postgres://postgres@${encodeURIComponent(socketDirectory)}/drydock`;
  try {
    const server = await runPostgres({
      postgres: findBinaries(account).postgres,
      cluster,
      socketDirectory,
      account,
      settings: { ...durable, hba_file: trust },
      probeUrl: adminUrl,
    });
    try {
      await setPassword(adminUrl, passwords.admin);
      return (await readFacts(adminUrl)).worlds;
    } finally {
      await server.stop();
    }
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    throw new StartError(`The restored database does not start. ${error.message}`);
  } finally {
    rmSync(socketDirectory, { recursive: true, force: true });
  }
}

async function setPassword(adminUrl: string, password: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  client.on("error", () => {});
  await client.connect();
  try {
    // Our own hex: nothing to escape.
    await client.query(`alter role postgres password '${password}'`);
  } finally {
    await client.end();
  }
}
