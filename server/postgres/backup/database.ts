import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { tryLockDataDirectory } from "#server/platform/config/dataDirectory.ts";
import { quoteName } from "#server/platform/db/migrate.ts";
import { StartError } from "#server/platform/startError.ts";
import { createFile, type WrittenFile } from "#server/postgres/backup/files.ts";
import type { BackupFile, BackupWorld } from "#server/postgres/backup/manifest.ts";
import {
  type BackupPart,
  type BackupReceiver,
  streamBaseBackup,
} from "#server/postgres/backup/stream.ts";
import { type TarEntry, TarReader, type TarReceiver } from "#server/postgres/backup/tar.ts";
import { runningAdminUrl, startEmbeddedPostgres } from "#server/postgres/embedded.ts";
import { hasDatabase } from "#server/postgres/passwords.ts";

/** Folder of the cluster in a backup. */
export const clusterFolder = "postgres";
const serverManifest = "backup_manifest";

export interface ReachedDatabase {
  adminUrl: string;
  /** True if a Drydock was running; otherwise the database is started for the duration. */
  running: boolean;
  release(): Promise<void>;
}

/**
 * The embedded database of a data directory, running or not. Throws a StartError if there is none.
 */
export async function reachDatabase(dataDirectory: string): Promise<ReachedDatabase> {
  if (!existsSync(dataDirectory) || !hasDatabase(dataDirectory)) {
    throw new StartError(
      `There is no database in ${dataDirectory}: set DRYDOCK_DATA to the data directory that Drydock runs with.`,
    );
  }
  const lock = tryLockDataDirectory(dataDirectory);
  if (!lock) {
    const adminUrl = runningAdminUrl(dataDirectory);
    return { adminUrl, running: true, release: async () => {} };
  }
  try {
    const postgres = await startEmbeddedPostgres({ dataDirectory });
    const release = async () => {
      await postgres.stop();
      lock.release();
    };
    return { adminUrl: postgres.adminUrl, running: false, release };
  } catch (error) {
    lock.release();
    throw error;
  }
}

export interface ClusterFacts {
  /** Such as "18.4". */
  version: string;
  systemIdentifier: string;
  worlds: BackupWorld[];
}

/** Facts about a cluster and the worlds in it, read as its superuser. */
export async function readFacts(adminUrl: string): Promise<ClusterFacts> {
  const client = new pg.Client({ connectionString: adminUrl, application_name: "drydock-backup" });
  client.on("error", () => {});
  await client.connect().catch((error: Error) => {
    throw new StartError(
      `The database does not answer (${error.message}): if Drydock is just starting or stopping, wait and try again.`,
    );
  });
  try {
    const { rows } = await client.query<{ version: string; system: string }>(
      `select current_setting('server_version') as version, system_identifier::text as system from pg_control_system()`,
    );
    const { version, system } = rows[0]!;
    return { version, systemIdentifier: system, worlds: await readWorlds(client) };
  } finally {
    await client.end();
  }
}

async function readWorlds(client: pg.Client): Promise<BackupWorld[]> {
  const { rows } = await client.query<{ schema: string }>(
    `select nspname as schema from pg_namespace
     where to_regclass(quote_ident(nspname) || '.world') is not null
       and to_regclass(quote_ident(nspname) || '.log_head') is not null
       and to_regclass(quote_ident(nspname) || '.migration') is not null
     order by nspname`,
  );
  const worlds: BackupWorld[] = [];
  for (const { schema } of rows) {
    const quotedSchema = quoteName(schema);
    const result = await client.query<{ name: string; leaves: string; migrations: string[] }>(
      `select w.name, h.next as leaves, array(select name from ${quotedSchema}.migration order by name) as migrations
       from ${quotedSchema}.world w cross join ${quotedSchema}.log_head h`,
    );
    // A world whose first start was interrupted has no row yet.
    for (const { name, leaves, migrations } of result.rows) {
      worlds.push({ name, schema, leaves: Number(leaves), migrations });
    }
  }
  return worlds;
}

export interface CopiedCluster {
  endPosition: string;
  files: BackupFile[];
  directories: string[];
}

/**
 * Writes a base backup of the cluster below `folder` as plain files and compares each with the
 * server's manifest. `begin` is called with the size before the first file. Throws on any
 * difference, in which case nothing in `folder` is a backup.
 */
export async function copyCluster(options: {
  adminUrl: string;
  folder: string;
  rateKb: number | null;
  begin: (bytes: number) => Promise<void>;
  onBytes: (bytes: number) => void;
  signal: AbortSignal;
}): Promise<CopiedCluster> {
  const writer = new ClusterWriter(options);
  const { adminUrl, rateKb, signal } = options;
  const { endPosition } = await streamBaseBackup(adminUrl, { rateKb, signal }, writer);
  await writer.finish();
  await compareWithServer(join(options.folder, clusterFolder, serverManifest), writer.files);
  return { endPosition, files: writer.files, directories: writer.directories };
}

/**
 * PostgreSQL's log files belong to the machine they were written on, and may quote what people
 * typed.
 */
const isMessage = (path: string) => path === "log" || path.startsWith("log/");

class ClusterWriter implements BackupReceiver, TarReceiver {
  readonly files: BackupFile[] = [];
  readonly directories: string[] = [clusterFolder];
  readonly #options: Parameters<typeof copyCluster>[0];
  #tar: TarReader | null = null;
  #path = "";
  #file: WrittenFile | null = null;

  constructor(options: Parameters<typeof copyCluster>[0]) {
    this.#options = options;
  }

  begin(bytes: number): Promise<void> {
    return this.#options.begin(bytes);
  }

  async take(part: BackupPart): Promise<void> {
    this.#options.signal.throwIfAborted();
    if (part.kind === "archive") {
      if (part.tablespace !== "") {
        throw new Error(
          "the database keeps tables outside its directory, which Drydock never does",
        );
      }
      this.#tar = new TarReader(this);
    } else if (part.kind === "manifest") {
      this.#tar?.finish();
      this.#tar = null;
      await this.entry({ path: serverManifest, kind: "file", bytes: 0 });
    } else if (this.#tar) await this.#tar.push(part.bytes);
    else await this.data(part.bytes);
  }

  async entry({ path, kind }: TarEntry): Promise<void> {
    this.#path = `${clusterFolder}/${path}`;
    if (path === "" || path === "." || isMessage(path)) return;
    if (kind === "link")
      throw new Error(`${path} is a link, which a Drydock cluster never contains`);
    if (kind === "directory") this.directories.push(this.#path);
    else this.#file = await createFile(join(this.#options.folder, this.#path));
  }

  async data(bytes: Buffer): Promise<void> {
    this.#options.onBytes(bytes.length);
    await this.#file?.write(bytes);
  }

  async end(): Promise<void> {
    if (!this.#file) return;
    const fileSum = await this.#file.close();
    this.#file = null;
    this.files.push({ path: this.#path, ...fileSum });
  }

  /** The manifest comes last and ends with the copy. */
  async finish(): Promise<void> {
    this.#tar?.finish();
    await this.end();
  }
}

interface ServerFile {
  Path?: string;
  Size: number;
  Checksum?: string;
}

async function compareWithServer(path: string, files: readonly BackupFile[]): Promise<void> {
  const { Files: notified } = JSON.parse(await readFile(path, "utf8")) as { Files: ServerFile[] };
  const filesByPath = new Map(files.map((file) => [file.path, file]));
  for (const { Path = "", Size, Checksum } of notified) {
    if (isMessage(Path)) continue;
    const writtenFile = filesByPath.get(`${clusterFolder}/${Path}`);
    if (writtenFile?.bytes !== Size || writtenFile.sha256 !== Checksum) {
      throw new Error(`${Path} arrived corrupted`);
    }
  }
}
