import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { rename } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type DataDirectory, lockDataDirectory } from "#server/platform/config/dataDirectory.ts";
import { createKeyFiles } from "#server/platform/crypto/keyFiles.ts";
import { migrate, readMigrations } from "#server/platform/db/migrate.ts";
import { writeDurably } from "#server/platform/durableFiles.ts";
import { completeArchive, readUntil } from "#server/postgres/archive/rounds.ts";
import {
  type ArchivePaths,
  archiveFile,
  archivePaths,
  readArchiveNote,
  writeArchiveNote,
} from "#server/postgres/archive/walArchive.ts";
import { restoreBackup } from "#server/postgres/backup/restore.ts";
import { takeBackup } from "#server/postgres/backup/take.ts";
import {
  appRole,
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from "#server/postgres/embedded.ts";

/**
 * Rows and keys from before and after a backup, and the ones that a restore to each time contains.
 */
const root = mkdtempSync(join(tmpdir(), "drydock-archive-"));
chmodSync(root, 0o711);
const data = join(root, "data");
// A folder name as a user might choose it.
const folder = join(root, "it's 100% here");
let lock: DataDirectory;
let postgres: EmbeddedPostgres;
let admin: pg.Client;
let archive: ArchivePaths;
let backup: string;
let earlierBackup: string;
let betweenMs: number;
const warnings: unknown[] = [];
// Each restore starts a database and replays the archive.
vi.setConfig({ testTimeout: 120_000 });

const personKey = (digit: string) => `person/${digit.repeat(2)}/${digit.repeat(32)}`;
const keys = () => createKeyFiles(join(data, "keys"));
const write = (number: number) =>
  admin.query("insert into world_test.written values ($1)", [number]);
const round = (maxBytes = 1e12) =>
  completeArchive(
    {
      dataDirectory: data,
      adminUrl: postgres.adminUrl,
      maxBytes,
      logger: { error: () => {}, warn: (warning: unknown) => warnings.push(warning) } as never,
    },
    archive,
  );
const take = async (name: string) => {
  mkdirSync(join(root, name));
  const { path } = await takeBackup({
    dataDirectory: data,
    isDatabaseExternal: false,
    folder: join(root, name),
    nowMs: Date.now(),
    rateKb: null,
    onProgress: () => {},
    signal: new AbortController().signal,
  });
  return path;
};

beforeAll(async () => {
  mkdirSync(folder);
  lock = lockDataDirectory(data);
  postgres = await startEmbeddedPostgres({ dataDirectory: data, fleeting: true });
  earlierBackup = await take("earlier");
  await postgres.stop();

  await writeArchiveNote(data, folder);
  archive = archivePaths(readArchiveNote(data)!);
  postgres = await startEmbeddedPostgres({ dataDirectory: data, fleeting: true });
  await migrate({
    ownerUrl: postgres.ownerUrl,
    schema: "world_test",
    appRole,
    migrations: readMigrations().filter(({ name }) => /^(000|050)/.test(name)),
  });
  admin = new pg.Client({ connectionString: postgres.ownerUrl });
  await admin.connect();
  await admin.query("create table world_test.written (number integer)");
  await admin.query(
    `insert into world_test.world (name, market_kind, speed, start_ms, clock_world_ms, clock_real_ms, symbols)
     values ('test', 'replay', 1, 0, 0, 0, '[]')`,
  );
  await writeDurably(join(data, "log-head-test.json"), "1");
  await write(1);
  backup = await take("backups");

  await keys().read(personKey("a"), true);
  await keys().read(personKey("b"), true);
  mkdirSync(join(data, "blobs/test"), { recursive: true });
  await writeDurably(join(data, "blobs/test/kept"), "kept");
  await writeDurably(join(data, "blobs/test/purged"), "purged");
  await write(2);
  await round();
  await sleep(20);
  betweenMs = Date.now();
  await sleep(20);
  await write(3);
  await keys().destroy(personKey("b"));
  rmSync(join(data, "blobs/test/purged"));
  await writeDurably(join(data, "log-head-test.json"), "2");
  await round();
  await write(4);
}, 120_000);
afterAll(async () => {
  await admin.end();
  await postgres.stop();
  lock.release();
  rmSync(root, { recursive: true, force: true });
});

const restore = (
  into: string,
  to: { atMs: number | null; folder: string | null } | null,
  from = backup,
) =>
  restoreBackup({
    backup: from,
    into: join(root, into),
    deletionsOf: null,
    to,
    onProgress: () => {},
    signal: new AbortController().signal,
  });

/** The rows of a restored database, started once more. */
async function toRows(target: string): Promise<number[]> {
  const copy = await startEmbeddedPostgres({ dataDirectory: join(root, target), fleeting: true });
  const client = new pg.Client({ connectionString: copy.ownerUrl });
  await client.connect();
  const { rows } = await client.query<{ number: number }>(
    "select number from world_test.written order by number",
  );
  await client.end();
  await copy.stop();
  return rows.map(({ number }) => number);
}

test("a restore to a time has everything committed until then, even from a moved archive", async () => {
  const movedFolder = join(root, "moved");
  await rename(folder, movedFolder);
  try {
    const { toMs } = await restore("between", { atMs: betweenMs, folder: movedFolder });
    expect(toMs).toBe(betweenMs);
  } finally {
    await rename(movedFolder, folder);
  }
  expect(await toRows("between")).toEqual([1, 2]);
});

test("a restore to the latest time has everything up to the last round", async () => {
  const { toMs } = await restore("latest", { atMs: null, folder: null });
  expect(toMs).toBe(await readUntil(archive));
  expect(await toRows("latest")).toEqual([1, 2, 3]);
});

test("keys and pictures made after the backup are restored, and deleted ones stay deleted", async () => {
  const target = join(root, "between");
  const exists = (path: string) => existsSync(join(target, path));
  expect(exists(`keys/${personKey("a")}`)).toBe(true);
  expect(exists(`keys/${personKey("b")}`)).toBe(false);
  expect(exists(`keys/${personKey("b")}.gone`)).toBe(true);
  expect(existsSync(join(archive.files, `keys/${personKey("b")}`))).toBe(false);
  expect(exists("blobs/test/kept")).toBe(true);
  expect(exists("blobs/test/purged")).toBe(false);
});

test("a restored directory keeps the last signed head and does not write to the archive", () => {
  expect(readFileSync(join(root, "between/log-head-test.json"), "utf8")).toBe("2");
  expect(existsSync(join(root, "between", archiveFile))).toBe(false);
});

test.each<[string, () => Promise<unknown>, RegExp]>([
  [
    "a time before the backup",
    () => restore("none", { atMs: 1, folder: null }),
    /can be restored to a time from .* 1970-.* take an earlier backup/,
  ],
  [
    "a time after the last round",
    () => restore("none", { atMs: Date.now() + 1, folder: null }),
    /nothing later is in the archive/,
  ],
  [
    "a folder without the archive",
    () => restore("none", { atMs: null, folder: root }),
    /There is no archive in .*wal-[0-9a-f]{16}: name the folder/,
  ],
  [
    "a backup taken without an archive",
    () => restore("none", { atMs: null, folder }, earlierBackup),
    /taken without WAL_ARCHIVE/,
  ],
])("%s is refused and restores nothing", async (_title, act, message) => {
  await expect(act()).rejects.toThrow(message);
  expect(readdirSync(root).filter((name) => name.startsWith("none"))).toEqual([]);
});

test("an archive that lacks a segment is refused and restores nothing", async () => {
  const last = readdirSync(archive.wal).toSorted().at(-1)!;
  await rename(join(archive.wal, last), join(root, last));
  await expect(restore("gap", { atMs: null, folder: null })).rejects.toThrow(
    "a segment of it is missing",
  );
  await rename(join(root, last), join(archive.wal, last));
  expect(readdirSync(root).filter((name) => name.startsWith("gap"))).toEqual([]);
});

test("an archive beyond its limit deletes its oldest segments, with a warning", async () => {
  const before = readdirSync(archive.wal).toSorted();
  await round(1);
  expect(readdirSync(archive.wal)).toEqual([]);
  expect(warnings).toHaveLength(1);
  expect(before.length).toBeGreaterThan(1);
});

test.each([
  [join(root, "missing"), /there is no folder/],
  [data, /is inside the data directory/],
])("an archive in %s is refused", async (folder, message) => {
  await expect(writeArchiveNote(data, folder)).rejects.toThrow(message);
});

test("an archive continues in its folder, and a pause starts a new one", async () => {
  const first = readArchiveNote(data);
  await writeArchiveNote(data, folder);
  expect(readArchiveNote(data)).toEqual(first);
  await writeArchiveNote(data, null);
  expect(readArchiveNote(data)).toBeNull();
  await writeArchiveNote(data, folder);
  expect(readArchiveNote(data)?.id).not.toBe(first?.id);
});
