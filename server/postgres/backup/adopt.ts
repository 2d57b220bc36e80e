import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { quoteName } from "#server/platform/db/migrate.ts";
import { StartError } from "#server/platform/startError.ts";
import { give, postgresAccount } from "#server/postgres/account.ts";
import { readFacts } from "#server/postgres/backup/database.ts";
import { walk } from "#server/postgres/backup/files.ts";
import type { BackupWorld } from "#server/postgres/backup/manifest.ts";
import { findBinaries } from "#server/postgres/binaries.ts";
import { durable, prepareSocketDirectory } from "#server/postgres/embedded.ts";
import type { Passwords } from "#server/postgres/passwords.ts";
import { runPostgres } from "#server/postgres/process.ts";

/**
 * Starts a cluster that was just copied out of a backup, lets it replay the write-ahead log of the
 * backup's time, gives its superuser the new password and stops it. The old passwords are not in
 * the backup; meanwhile it takes whoever can reach its socket, which lies in a directory of
 * PostgreSQL's account alone. Ends every session in it. Gives the worlds in it.
 */
export async function takeOverCluster(
  cluster: string,
  passwords: Passwords,
): Promise<BackupWorld[]> {
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
      const { worlds } = await readFacts(adminUrl);
      await closeConnections(adminUrl, worlds);
      // Last: from then on nobody gets in without it.
      await setPassword(adminUrl, passwords.admin);
      return worlds;
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

/**
 * Open doors of a world, by table: what closes them. A world of an older version may have fewer.
 */
const doors: Readonly<Record<string, (table: string) => string>> = {
  user_session: (table) =>
    `update ${table} set ended_at_ms = (extract(epoch from clock_timestamp()) * 1000)::bigint where ended_at_ms is null`,
  operator_raise: (table) => `delete from ${table}`,
  operator_code: (table) => `delete from ${table} where used_by is null`,
  person_code: (table) => `delete from ${table}`,
};

/**
 * A copy knows nothing of what was closed after it was made: sessions that somebody ended, codes
 * that were used or taken back. Everyone signs in again instead.
 */
async function closeConnections(adminUrl: string, worlds: readonly BackupWorld[]): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  client.on("error", () => {});
  await client.connect();
  try {
    for (const { schema } of worlds) {
      for (const [name, close] of Object.entries(doors)) {
        const table = `${quoteName(schema)}.${name}`;
        const { rows } = await client.query("select to_regclass($1) is not null as there", [table]);
        if (rows[0].there) await client.query(close(table));
      }
    }
  } finally {
    await client.end();
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
