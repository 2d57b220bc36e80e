import { appendFileSync, cpSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { giveOwnership, postgresAccount } from "#server/postgres/account.ts";
import { findBinaries } from "#server/postgres/binaries.ts";
import {
  appRole,
  durable,
  ownerRole,
  prepareSocketDirectory,
  startEmbeddedPostgres,
} from "#server/postgres/embedded.ts";
import { type Passwords, readPasswords } from "#server/postgres/passwords.ts";
import { type PostgresProcess, runPostgres } from "#server/postgres/process.ts";
import { isAlive, kill, listChildren } from "../lib/processes.ts";

/** PostgreSQL's file of the socket that listens on its default port. */
const socketName = ".s.PGSQL.5432";

/** One of the two servers. */
interface DatabaseServer {
  /** The unix socket, for a relay. */
  readonly socket: string;
  readonly adminUrl: string;
  readonly process: PostgresProcess;
}

/** Two servers with one database: commits wait for the standby. */
export interface Replicated {
  /** The server that takes commits. */
  primary(): DatabaseServer;
  /** URLs of the two roles through a port of this machine. */
  urls(port: number): { owner: string; app: string };
  /** As the superuser of the primary. */
  admin<Row extends pg.QueryResultRow>(text: string): Promise<Row[]>;
  /** Kills the primary with all its backends; resolves when they are gone. */
  killPrimary(): Promise<void>;
  /** Makes the standby the primary, without a standby of its own. */
  promote(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Makes the database in `first`, copies its files to `second` while it is stopped, and starts both:
 * the second follows the first, and each commit waits until it is on the disks of both.
 */
export async function startReplicated(first: string, second: string): Promise<Replicated> {
  const embedded = await startEmbeddedPostgres({ dataDirectory: first });
  await embedded.stop();
  const passwords = readPasswords(first);
  const copy = join(second, "postgres");
  copyCluster(embedded.cluster, copy);
  let primary = await startServer(embedded.cluster, passwords);
  const conninfo = `host=${dirname(primary.socket)} user=postgres password=${passwords.admin} application_name=standby`;
  appendFileSync(join(copy, "postgresql.auto.conf"), `primary_conninfo = '${conninfo}'\n`);
  const standby = await startServer(copy, passwords);
  const admin = <Row extends pg.QueryResultRow>(text: string) => query<Row>(primary, text);
  await admin("alter system set synchronous_standby_names = 'standby'");
  await admin("select pg_reload_conf()");
  const following = "select 1 from pg_stat_replication where sync_state = 'sync'";
  while ((await admin(following)).length === 0) await sleep(100);
  const running = new Set([primary, standby]);
  return {
    primary: () => primary,
    urls: (port) => ({
      owner: `postgres://${ownerRole}:${passwords.owner}@127.0.0.1:${port}/drydock`,
      app: `postgres://${appRole}:${passwords.app}@127.0.0.1:${port}/drydock`,
    }),
    admin,
    killPrimary: async () => {
      const { pid, ended } = primary.process;
      const pids = [pid, ...listChildren(pid)];
      for (const pid of pids) kill(pid);
      await ended;
      while (pids.some(isAlive)) await sleep(5);
      running.delete(primary);
    },
    promote: async () => {
      await query(standby, "select pg_promote(true, 60)");
      primary = standby;
    },
    stop: async () => {
      await Promise.all([...running].map((item) => item.process.stop()));
    },
  };
}

/** Of a server that is stopped; the copy begins as a standby. */
function copyCluster(from: string, to: string): void {
  const account = postgresAccount();
  mkdirSync(to, { recursive: true, mode: 0o700 });
  cpSync(from, to, { recursive: true });
  writeFileSync(join(to, "standby.signal"), "");
  giveOwnership(to, account);
  for (const name of readdirSync(to, { recursive: true, encoding: "utf8" }))
    giveOwnership(join(to, name), account);
}

async function startServer(cluster: string, passwords: Passwords): Promise<DatabaseServer> {
  const account = postgresAccount();
  const socketDirectory = prepareSocketDirectory(cluster, account);
  const host = encodeURIComponent(socketDirectory);
  const adminUrl = `postgres://postgres:${passwords.admin}@${host}/drydock`;
  const { postgres } = findBinaries(account);
  const server = { postgres, cluster, socketDirectory, account, probeUrl: adminUrl };
  const process = await runPostgres({ ...server, settings: durable });
  return { socket: join(socketDirectory, socketName), adminUrl, process };
}

async function query<Row extends pg.QueryResultRow>(
  { adminUrl }: DatabaseServer,
  text: string,
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: adminUrl });
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}
