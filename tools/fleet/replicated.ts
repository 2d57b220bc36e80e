import { spawnSync } from "node:child_process";
import { appendFileSync, cpSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { findPostgresAccount, giveOwnership } from "#server/postgres/account.ts";
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
import { findFreePort, isAlive, kill, listChildren } from "../lib/processes.ts";
import { type Relay, startRelay } from "./relay.ts";

/** One of the two servers. */
interface DatabaseServer {
  /** The unix socket, for a pooler. */
  readonly socket: string;
  /** The server's port on the address that both share. */
  readonly port: number;
  readonly adminUrl: string;
  readonly process: PostgresProcess;
}

/** Two servers with one database: commits wait for the standby. */
export interface Replicated {
  /** The server that takes commits. */
  primary(): DatabaseServer;
  /** URLs of the two roles at the address that leads to the primary. */
  readonly urls: { owner: string; app: string };
  /** As the superuser of the primary. */
  admin<Row extends pg.QueryResultRow>(text: string): Promise<Row[]>;
  /** Kills the primary with all its backends; resolves when they are gone. */
  killPrimary(): Promise<void>;
  /** Makes the standby the primary, without a standby, and moves the address to it. */
  promote(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Creates the database in `first`, copies its files to `second` while it is stopped, and starts
 * both: the second follows the first, and each commit waits until it is on the disks of both. They
 * listen on `address`, with TLS unless it is a loopback one.
 */
export async function startReplicated(
  first: string,
  second: string,
  address: string,
): Promise<Replicated> {
  const embedded = await startEmbeddedPostgres({ dataDirectory: first });
  await embedded.stop();
  const passwords = readPasswords(first);
  const rootCertificate = letIn(embedded.cluster, address);
  const copy = join(second, "postgres");
  copyCluster(embedded.cluster, copy);
  const start = async (cluster: string) =>
    startServer(cluster, passwords, { address, hasTls: rootCertificate !== null });
  let primary = await start(embedded.cluster);
  const { port } = primary;
  const conninfo = `host=${dirname(primary.socket)} port=${port} user=postgres password=${passwords.admin} application_name=standby`;
  appendFileSync(join(copy, "postgresql.auto.conf"), `primary_conninfo = '${conninfo}'\n`);
  const standby = await start(copy);
  let relay: Relay | null = null;
  const admin = <Row extends pg.QueryResultRow>(text: string) => query<Row>(primary, text);
  await admin("alter system set synchronous_standby_names = 'standby'");
  await admin("select pg_reload_conf()");
  const following = "select 1 from pg_stat_replication where sync_state = 'sync'";
  while ((await admin(following)).length === 0) await sleep(100);
  const running = new Set([primary, standby]);
  const tls = rootCertificate && `?sslmode=verify-full&sslrootcert=${rootCertificate}`;
  const url = (role: string, password: string) =>
    `postgres://${role}:${password}@${address}:${port}/drydock${tls ?? ""}`;
  return {
    primary: () => primary,
    urls: { owner: url(ownerRole, passwords.owner), app: url(appRole, passwords.app) },
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
      relay = await startRelay([{ host: address, port: standby.port }], { host: address, port });
    },
    stop: async () => {
      await relay?.close();
      await Promise.all([...running].map((item) => item.process.stop()));
    },
  };
}

/**
 * Lets the network of `address` in by password, and makes a certificate for it; returns the
 * certificate's path, or null for a loopback address, which needs none.
 */
function letIn(cluster: string, address: string): string | null {
  if (address.startsWith("127.")) return null;
  appendFileSync(join(cluster, "pg_hba.conf"), `hostssl all all ${address}/30 scram-sha-256\n`);
  const [key, certificate] = [join(cluster, "server.key"), join(cluster, "server.crt")];
  const { status, stderr } = spawnSync(
    "openssl",
    [
      ...["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"],
      ...["-days", "1", "-subj", "/CN=drydock-fleet", "-addext", `subjectAltName=IP:${address}`],
      ...["-keyout", key, "-out", certificate],
    ],
    { encoding: "utf8" },
  );
  if (status !== 0) throw new Error(`openssl made no certificate: ${stderr}`);
  for (const path of [key, certificate]) giveOwnership(path, findPostgresAccount());
  return certificate;
}

/** The server must be stopped; the copy starts as a standby. */
function copyCluster(from: string, to: string): void {
  const account = findPostgresAccount();
  mkdirSync(to, { recursive: true, mode: 0o700 });
  cpSync(from, to, { recursive: true });
  writeFileSync(join(to, "standby.signal"), "");
  giveOwnership(to, account);
  for (const name of readdirSync(to, { recursive: true, encoding: "utf8" }))
    giveOwnership(join(to, name), account);
}

async function startServer(
  cluster: string,
  passwords: Passwords,
  { address, hasTls }: { address: string; hasTls: boolean },
): Promise<DatabaseServer> {
  const account = findPostgresAccount();
  const socketDirectory = prepareSocketDirectory(cluster, account);
  const port = await findFreePort();
  const host = encodeURIComponent(socketDirectory);
  const adminUrl = `postgres://postgres:${passwords.admin}@${host}:${port}/drydock`;
  const { postgres } = findBinaries(account);
  const process = await runPostgres({
    ...{ postgres, cluster, socketDirectory, account, probeUrl: adminUrl },
    settings: {
      ...durable,
      listen_addresses: address,
      port: String(port),
      ssl: hasTls ? "on" : "off",
    },
  });
  return { socket: join(socketDirectory, `.s.PGSQL.${port}`), port, adminUrl, process };
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
