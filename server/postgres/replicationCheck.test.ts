import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { readConfig } from "#server/platform/config/config.ts";
import {
  appRole,
  type EmbeddedPostgres,
  ownerRole,
  startEmbeddedPostgres,
} from "#server/postgres/embedded.ts";
import { requireExternalDatabase } from "#server/postgres/externalDatabase.ts";

/** A separate server: a standby on the shared one would affect every test. */
const directory = mkdtempSync(join(tmpdir(), "drydock-standby-"));
chmodSync(directory, 0o711);
let postgres: EmbeddedPostgres;
let admin: pg.Client;
const receivers: pg.Client[] = [];

beforeAll(async () => {
  postgres = await startEmbeddedPostgres({ dataDirectory: directory, fleeting: true });
  admin = new pg.Client({ connectionString: postgres.adminUrl });
  await admin.connect();
});
afterEach(async () => {
  for (const receiver of receivers.splice(0)) {
    const { processID } = receiver as unknown as { processID: number };
    await admin.query("select pg_terminate_backend($1)", [processID]);
    await until("select not exists (select from pg_stat_replication) as holds");
  }
  for (const change of [
    `alter role ${appRole} reset synchronous_commit`,
    `revoke pg_read_all_stats from ${ownerRole}`,
    "select pg_drop_replication_slot(slot_name) from pg_replication_slots",
    "alter system reset synchronous_standby_names",
    "select pg_reload_conf()",
  ])
    await admin.query(change);
  await until("select current_setting('synchronous_standby_names') = '' as holds");
});
afterAll(async () => {
  await admin.end();
  await postgres.stop();
  rmSync(directory, { recursive: true, force: true });
});

async function until(question: string): Promise<void> {
  for (;;) {
    const { rows } = await admin.query<{ holds: boolean }>(question);
    if (rows[0]!.holds) return;
  }
}

/** Follows the write-ahead log like a standby, without storing it. */
async function follow(command: string): Promise<void> {
  const receiver = new pg.Client({
    connectionString: postgres.adminUrl,
    replication: "true",
  } as pg.ClientConfig);
  receiver.on("error", () => {});
  await receiver.connect();
  receivers.push(receiver);
  const query = receiver.query(command);
  query.catch(() => {}); // it lasts until the session is ended
  await until("select exists (select from pg_stat_replication) as holds");
}

const stream = async () => {
  const { rows } = await admin.query<{ lsn: string }>("select pg_current_wal_lsn() as lsn");
  await follow(`START_REPLICATION PHYSICAL ${rows[0]!.lsn}`);
};
const show = () => admin.query(`grant pg_read_all_stats to ${ownerRole}`);
const require = (asyncStandby = false) =>
  requireExternalDatabase({ owner: postgres.ownerUrl, app: postgres.appUrl }, asyncStandby);
const refusal =
  /^The database has a standby that no commit waits for .*orders that were confirmed are gone.*ASYNC_STANDBY=may-lose-what-was-confirmed/;

test("a server without a standby is accepted", () => require());

test("an asynchronous standby is refused unless its risk is accepted", async () => {
  await show();
  await stream();
  await expect(require()).rejects.toThrow(refusal);
  const { asyncStandby } = readConfig({ ASYNC_STANDBY: "may-lose-what-was-confirmed" });
  await require(asyncStandby);
});

test("a replication slot counts while its standby is disconnected", async () => {
  await admin.query("select pg_create_physical_replication_slot('away')");
  await expect(require()).rejects.toThrow(refusal);
});

test("a view that the owner may not read is refused, naming the missing grant", async () => {
  await stream();
  await expect(require()).rejects.toThrow(/If it is a base backup .*grant pg_read_all_stats/);
});

test("a synchronous standby is accepted if the application's commits wait for it", async () => {
  await show();
  await stream();
  // Commits would wait for a standby that stores nothing; reads do not.
  await admin.query("alter system set synchronous_standby_names = 'nobody'");
  await admin.query("select pg_reload_conf()");
  await until("select current_setting('synchronous_standby_names') <> '' as holds");
  await require();
  await admin.query("set synchronous_commit = local");
  await admin.query(`alter role ${appRole} set synchronous_commit = local`);
  await expect(require()).rejects.toThrow(
    /^DATABASE_URL cannot be used: synchronous_commit is local for its role, so its commits wait for no/,
  );
});

test("an application with asynchronous commits is refused, even if the risk is accepted", async () => {
  await admin.query(`alter role ${appRole} set synchronous_commit = off`);
  await expect(require(true)).rejects.toThrow(/^DATABASE_URL .* synchronous_commit is off/);
});

test("a running backup does not count as a standby", async () => {
  await show();
  const slot = "CREATE_REPLICATION_SLOT running TEMPORARY PHYSICAL (RESERVE_WAL true)";
  const holder = new pg.Client({
    connectionString: postgres.adminUrl,
    replication: "true",
  } as pg.ClientConfig);
  await holder.connect();
  await holder.query(slot);
  await require();
  await holder.end();
});
