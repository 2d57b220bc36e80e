import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import pg from "pg";
import { StartError } from "#server/platform/startError.ts";
import {
  type Account,
  canTraverse,
  findPostgresAccount,
  giveOwnership,
} from "#server/postgres/account.ts";
import { archiveSettings, readArchiveNote } from "#server/postgres/archive/walArchive.ts";
import { findBinaries } from "#server/postgres/binaries.ts";
import {
  hasDatabase,
  type Passwords,
  readPasswords,
  renewPasswords,
} from "#server/postgres/passwords.ts";
import { type PostgresProcess, runPostgres } from "#server/postgres/process.ts";

export const ownerRole = "drydock_owner";
export const appRole = "drydock_app";

export interface EmbeddedPostgres {
  /** The role that owns the schemas: migrations only. */
  readonly ownerUrl: string;
  /** The restricted role that everything else uses. */
  readonly appUrl: string;
  /** The superuser of the cluster: backups only. */
  readonly adminUrl: string;
  /**
   * Directory of the cluster; outside the data directory if PostgreSQL's account cannot reach that.
   */
  readonly cluster: string;
  readonly process: PostgresProcess;
  stop(): Promise<void>;
}

export const durable = {
  max_connections: "100",
  shared_buffers: "256MB",
  max_wal_size: "2GB",
  wal_compression: "on",
  checkpoint_timeout: "10min",
  checkpoint_completion_target: "0.9",
  random_page_cost: "1.1",
  jit: "off",
  timezone: "UTC",
  log_timezone: "UTC",
  log_checkpoints: "off",
  logging_collector: "on",
  log_filename: "postgresql-%a.log",
  log_rotation_age: "1d",
  log_truncate_on_rotation: "on",
  // After a crash one call instead of an fsync of every file; only Linux reports its errors.
  ...(process.platform === "linux" ? { recovery_init_sync_method: "syncfs" } : {}),
};

/** For test runs: nothing has to survive a crash of the machine. */
const nonDurable = {
  ...durable,
  max_connections: "300",
  shared_buffers: "128MB",
  fsync: "off",
  full_page_writes: "off",
  logging_collector: "off",
};

/**
 * For our own roles: PostgreSQL's log reports its own failures, never our failed statements, whose
 * message and detail quote what people typed ("invalid input syntax", "Key (…) already exists").
 * The program sees every failure, and logs its code.
 */
const quietSettings = [
  "log_min_messages = 'log'",
  "log_min_error_statement = 'panic'",
  "log_error_verbosity = 'terse'",
  "log_parameter_max_length_on_error = 0",
];

/**
 * Creates the cluster under `dataDirectory` on first use, starts PostgreSQL on it and ensures that
 * its roles and database exist. The caller holds the lock of the data directory. Throws a
 * StartError that says what to do.
 */
export async function startEmbeddedPostgres(options: {
  dataDirectory: string;
  fleeting?: boolean;
  /** For trials that restart PostgreSQL beneath a program that has its addresses. */
  keepsPasswords?: boolean;
}): Promise<EmbeddedPostgres> {
  const account = findPostgresAccount();
  const binaries = findBinaries(account);
  const passwords =
    options.keepsPasswords && hasDatabase(options.dataDirectory)
      ? readPasswords(options.dataDirectory)
      : await renewPasswords(options.dataDirectory);
  const cluster = clusterPath(options.dataDirectory, account, passwords);
  if (!existsSync(join(cluster, "PG_VERSION")))
    initialise(cluster, binaries.initdb, account, passwords);
  requireSameVersion(cluster, binaries.version);
  const socketDirectory = prepareSocketDirectory(cluster, account);
  // Applies to every start: a segment that one run left out would be missing for good.
  const archive = readArchiveNote(options.dataDirectory);
  const url = (role: string, password: string, database = "drydock") =>
    `postgres://${role}:${password}@${encodeURIComponent(socketDirectory)}/${database}`;
  const adminUrl = url("postgres", passwords.admin, "postgres");
  const server = await runPostgres({
    postgres: binaries.postgres,
    cluster,
    socketDirectory,
    account,
    settings: {
      ...(options.fleeting ? nonDurable : durable),
      ...(archive ? archiveSettings(archive) : {}),
    },
    probeUrl: adminUrl,
  });
  try {
    await ensureRoles(adminUrl, passwords);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return {
    ownerUrl: url(ownerRole, passwords.owner),
    appUrl: url(appRole, passwords.app),
    adminUrl: url("postgres", passwords.admin),
    cluster,
    process: server,
    stop: async () => {
      await server.stop();
      rmSync(socketDirectory, { recursive: true, force: true });
    },
  };
}

/**
 * The cluster is in the data directory, unless root started us and only root may enter that.
 * Outside it is named after its password, so that it belongs to this data directory wherever that
 * is moved, and never to a new one in its place.
 */
export function clusterPath(
  dataDirectory: string,
  account: Account | null,
  passwords: Passwords,
): string {
  const insidePath = join(dataDirectory, "postgres");
  if (!account) return insidePath;
  mkdirSync(insidePath, { recursive: true, mode: 0o700 });
  giveOwnership(insidePath, account);
  if (canTraverse(insidePath, account)) return insidePath;
  const name = createHash("sha256").update(passwords.admin).digest("hex").slice(0, 16);
  const outsidePath = join("/var/lib/drydock", name);
  try {
    mkdirSync(outsidePath, { recursive: true, mode: 0o700 });
    chmodSync(dirname(outsidePath), 0o755);
    giveOwnership(outsidePath, account);
  } catch {
    throw new StartError(
      `The account ${account.name}, which runs PostgreSQL, can reach neither ${insidePath} nor ${outsidePath}: set DRYDOCK_DATA to a directory it may enter, or start Drydock as another user.`,
    );
  }
  writeFileSync(
    join(dataDirectory, "postgres-lies-elsewhere.txt"),
    `The account ${account.name} cannot enter this directory, so the database is kept in ${outsidePath}.\n`,
  );
  return outsidePath;
}

function initialise(
  cluster: string,
  initdb: string,
  account: Account | null,
  passwords: Passwords,
): void {
  // An interrupted first start leaves a directory without PG_VERSION, or one that initdb refuses.
  rmSync(cluster, { recursive: true, force: true });
  mkdirSync(cluster, { recursive: true, mode: 0o700 });
  giveOwnership(cluster, account);
  const passwordFile = `${cluster}.password`;
  writeFileSync(passwordFile, passwords.admin, { mode: 0o600 });
  giveOwnership(passwordFile, account);
  const result = spawnSync(
    initdb,
    [
      "-D",
      cluster,
      "--username=postgres",
      "--auth=scram-sha-256",
      `--pwfile=${passwordFile}`,
      "--encoding=UTF8",
      "--locale=C",
      "--locale-provider=builtin",
      "--builtin-locale=C.UTF-8",
    ],
    {
      cwd: "/",
      encoding: "utf8",
      env: { PATH: process.env.PATH, LC_ALL: "C" },
      ...(account ? { uid: account.uid, gid: account.gid } : {}),
    },
  );
  rmSync(passwordFile);
  if (result.status === 0) return;
  rmSync(cluster, { recursive: true, force: true });
  const reason = result.error?.message ?? result.stderr.trim().split("\n").at(-1);
  throw new StartError(`PostgreSQL could not create its files in ${cluster}: ${reason}`);
}

function requireSameVersion(cluster: string, version: string): void {
  const clusterVersion = readFileSync(join(cluster, "PG_VERSION"), "utf8").trim();
  const major = version.split(".")[0];
  if (clusterVersion === major) return;
  throw new StartError(
    `The data in ${cluster} belongs to PostgreSQL ${clusterVersion}, and this is PostgreSQL ${major}: start the Drydock version that made it, or set DRYDOCK_DATA to another directory.`,
  );
}

/**
 * Connection URL, as the restricted role, of the server that a running Drydock has on a data
 * directory. Starts nothing; connecting shows whether it is running.
 */
export function runningPostgresUrl(dataDirectory: string): string {
  return runningUrl(dataDirectory, appRole, "app");
}

/** The same as the role that owns the tables: benches and trials. */
export function runningOwnerUrl(dataDirectory: string): string {
  return runningUrl(dataDirectory, ownerRole, "owner");
}

/** The same as the superuser of the cluster: backups only. */
export function runningAdminUrl(dataDirectory: string): string {
  return runningUrl(dataDirectory, "postgres", "admin");
}

function runningUrl(dataDirectory: string, role: string, passwordOwner: keyof Passwords): string {
  const passwords = readPasswords(dataDirectory);
  const socket = getSocketDirectory(clusterPath(dataDirectory, findPostgresAccount(), passwords));
  return `postgres://${role}:${passwords[passwordOwner]}@${encodeURIComponent(socket)}/drydock`;
}

function getSocketDirectory(cluster: string): string {
  const name = createHash("sha256").update(cluster).digest("hex").slice(0, 12);
  return join(tmpdir(), `drydock-${name}`);
}

/** A unix socket's path is limited to 107 bytes, so the socket is not in the data directory. */
export function prepareSocketDirectory(cluster: string, account: Account | null): string {
  const directory = getSocketDirectory(cluster);
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { mode: 0o700 });
  giveOwnership(directory, account);
  const { mode, uid } = lstatSync(directory);
  if ((mode & 0o777) !== 0o700 || uid !== (account?.uid ?? process.getuid?.())) {
    throw new StartError(
      `${directory}, where PostgreSQL listens, belongs to somebody else: remove it.`,
    );
  }
  return directory;
}

async function ensureRoles(adminUrl: string, passwords: Passwords): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  client.on("error", () => {});
  await client.connect();
  try {
    for (const [role, password] of [
      [ownerRole, passwords.owner],
      [appRole, passwords.app],
    ] as const) {
      const { rowCount } = await client.query("select 1 from pg_roles where rolname = $1", [role]);
      // Names and hex passwords generated by us: nothing to escape.
      await client.query(
        `${rowCount ? "alter" : "create"} role ${role} login password '${password}'`,
      );
      for (const setting of quietSettings) await client.query(`alter role ${role} set ${setting}`);
    }
    // To rewrite tables when texts are encrypted or erased, including the sample values in the
    // statistics catalogue.
    await client.query(`grant pg_maintain, pg_checkpoint to ${ownerRole}`);
    const { rowCount } = await client.query("select 1 from pg_database where datname = 'drydock'");
    if (!rowCount) await client.query(`create database drydock owner ${ownerRole}`);
    // Nothing here uses temporary tables: a role that cannot make any cannot hide a table of the
    // world behind one (docs/decisions/023-definer-and-temporary-tables.md).
    await client.query("revoke temporary on database drydock from public");
  } finally {
    await client.end();
  }
}
