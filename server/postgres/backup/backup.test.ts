import { createHash, randomBytes } from "node:crypto";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type DataDirectory, lockDataDirectory } from "#server/platform/config/dataDirectory.ts";
import { createKeyFiles } from "#server/platform/crypto/keyFiles.ts";
import { migrate, readMigrations } from "#server/platform/db/migrate.ts";
import { readLastBackup } from "#server/platform/lastBackup.ts";
import { checkBackup } from "#server/postgres/backup/check.ts";
import { requireFreeSpace } from "#server/postgres/backup/files.ts";
import { type RestoreSummary, restoreBackup } from "#server/postgres/backup/restore.ts";
import { type TakenBackup, takeBackup } from "#server/postgres/backup/take.ts";
import {
  appRole,
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from "#server/postgres/embedded.ts";

const root = mkdtempSync(join(tmpdir(), "drydock-backup-"));
chmodSync(root, 0o711);
const data = join(root, "data");
const blob = "blobs/test/recharge/00000000a-1";
const item = `person/aa/${"1".repeat(32)}`;
const otherKey = `person/bb/${"2".repeat(32)}`;
let lock: DataDirectory;
let postgres: EmbeddedPostgres;
let nowMs = Date.UTC(2026, 0, 5, 3);

beforeAll(async () => {
  lock = lockDataDirectory(data);
  postgres = await startEmbeddedPostgres({ dataDirectory: data, fleeting: true });
  await migrate({
    ownerUrl: postgres.ownerUrl,
    schema: "world_test",
    appRole,
    migrations: readMigrations().filter(({ name }) => /^(000|050)/.test(name)),
  });
  await ask(
    postgres.ownerUrl,
    `insert into world_test.world (name, market_kind, speed, start_ms, clock_world_ms, clock_real_ms,
         symbols, simulator)
       values ('test', 'simulated', 1, 0, 0, 0, '[]', 1);
     create table world_test.written (number bigint primary key, filling text);
     create table world_test.user_session (session_id text primary key, ended_at_ms bigint);
     insert into world_test.user_session values ('open', null), ('ended', 5);
     create table world_test.operator_code (code_hash text primary key, used_by text);
     insert into world_test.operator_code values ('waits', null), ('used', 'op');`,
  );
  mkdirSync(join(data, "blobs/test/recharge"), { recursive: true });
  writeFileSync(join(data, blob), randomBytes(3_000_000));
  writeFileSync(join(data, "log-key-test.json"), "{}");
  writeFileSync(join(data, "half.part"), "left by a crash");
  const keys = createKeyFiles(join(data, "keys"));
  for (const keyName of ["instance", item, otherKey]) await keys.read(keyName, true);
});
afterAll(async () => {
  await postgres.stop();
  lock.release();
  rmSync(root, { recursive: true, force: true });
});

async function ask<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

let folders = 0;
/** An empty folder for backups. */
function newFolder(): string {
  folders += 1;
  const folder = join(root, `backups-${folders}`);
  mkdirSync(folder);
  return folder;
}

function take(folder: string, change: Partial<Parameters<typeof takeBackup>[0]> = {}) {
  nowMs += 1_000;
  return takeBackup({
    dataDirectory: data,
    isDatabaseExternal: false,
    folder,
    nowMs,
    rateKb: null,
    onProgress: () => {},
    signal: new AbortController().signal,
    ...change,
  });
}

const takeFiles = (folder: string): Promise<TakenBackup> =>
  take(folder, { isDatabaseExternal: true });

function restore(
  backup: string,
  into: string,
  deletionsOf: string | null = null,
): Promise<RestoreSummary> {
  const signal = new AbortController().signal;
  return restoreBackup({ backup, into, deletionsOf, onProgress: () => {}, signal });
}

test("a backup taken during writes contains every earlier row and starts", async () => {
  const client = new pg.Client({ connectionString: postgres.ownerUrl });
  await client.connect();
  let count = 0;
  let writing = true;
  const writer = (async () => {
    while (writing) {
      await client.query("insert into world_test.written values ($1, repeat('x', 2000))", [
        count + 1,
      ]);
      count += 1;
    }
  })();
  while (count < 50) await ask(postgres.ownerUrl, "select 1");
  const before = count;
  // Unless something retains it, checkpoints would recycle the write-ahead log from the start of
  // the backup.
  const giveAway = async () => {
    for (let times = 0; times < 3; times += 1) {
      await ask(postgres.adminUrl, "select pg_switch_wal()");
      await ask(postgres.adminUrl, "checkpoint");
    }
  };
  const givingAway: Promise<void>[] = [];
  const progress: number[] = [];
  const onProgress = (completed: number, total: number) => {
    progress.push(completed / total);
    if (givingAway.length === 0) givingAway.push(giveAway());
  };
  const options = { onProgress, rateKb: 40_000 };
  const { path, wasRunning, manifest, bytes } = await take(newFolder(), options);
  writing = false;
  await Promise.all([writer, ...givingAway]);
  await client.end();
  expect(wasRunning).toBe(true);
  expect(await readLastBackup(data)).toEqual({ atMs: nowMs, bytes });
  expect(progress.at(-1)).toBeGreaterThan(0.9);
  expect(Math.max(...progress)).toBeLessThanOrEqual(1);
  const paths = manifest.files.map((file) => file.path);
  for (const expected of [blob, "log-key-test.json", "keys/instance", `keys/${item}`])
    expect(paths).toContain(expected);
  expect(
    paths.filter((name) =>
      /password|lock|last-backup|\.part$|postmaster|^postgres\/log/.test(name),
    ),
  ).toEqual([]);

  const target = join(root, "restored");
  const { worlds } = await restore(path, target);
  expect(worlds.map(({ name }) => name)).toEqual(["test"]);
  expect(readFileSync(join(target, blob)).equals(readFileSync(join(data, blob)))).toBe(true);
  const passwords = (folder: string) =>
    readFileSync(join(folder, "postgres-passwords.json"), "utf8");
  expect(passwords(target)).not.toBe(passwords(data));
  const copy = await startEmbeddedPostgres({ dataDirectory: target, fleeting: true });
  const [rows] = await ask<{ count: string; last: string }>(
    copy.ownerUrl,
    "select count(*), max(number) as last from world_test.written",
  );
  // A session ended after the backup is not open again, and no unused code admits anyone.
  const sessions = await ask<{ session_id: string; ended_at_ms: string | null }>(
    copy.ownerUrl,
    "select * from world_test.user_session order by session_id desc",
  );
  expect(sessions[0]!.ended_at_ms).not.toBeNull();
  expect(sessions[1]).toEqual({ session_id: "ended", ended_at_ms: "5" });
  expect(await ask(copy.ownerUrl, "select code_hash from world_test.operator_code")).toEqual([
    { code_hash: "used" },
  ]);
  await copy.stop();
  expect(Number(rows!.count)).toBe(Number(rows!.last));
  expect(Number(rows!.last)).toBeGreaterThanOrEqual(before);
});

test("a deleted person's key is destroyed in earlier backups and in restored data", async () => {
  const [folder, otherFolder] = [newFolder(), newFolder()];
  const { path: first } = await takeFiles(folder);
  const awayFolder = join(otherFolder, "away");
  cpSync(first, awayFolder, { recursive: true });
  expect(existsSync(join(first, "keys", otherKey))).toBe(true);
  await createKeyFiles(join(data, "keys")).destroy(otherKey);
  const { destroyedKeys, path: second } = await takeFiles(folder);
  expect(destroyedKeys).toBe(1);
  for (const backup of [first, second]) {
    expect(existsSync(join(backup, "keys", otherKey))).toBe(false);
    expect(existsSync(join(backup, "keys", `${otherKey}.gone`))).toBe(true);
    expect(existsSync(join(backup, "keys", item))).toBe(true);
    await checkBackup(backup, () => {});
  }
  const keysIn = (directory: string) => createKeyFiles(join(directory, "keys"));
  await restore(first, join(root, "without"));
  expect(await keysIn(join(root, "without")).read(otherKey, true)).toBeNull();
  expect(await keysIn(join(root, "without")).read(item, false)).not.toBeNull();
  // A copy kept elsewhere lacks the deletion unless its tombstone is applied.
  expect((await restore(awayFolder, join(root, "untold"))).destroyedKeys).toBe(0);
  expect(await keysIn(join(root, "untold")).read(otherKey, false)).not.toBeNull();
  expect((await restore(awayFolder, join(root, "told"), data)).destroyedKeys).toBe(1);
  expect(await keysIn(join(root, "told")).read(otherKey, true)).toBeNull();
});

/** Changes the manifest of a backup and updates its checksum to match. */
function rewrite(backup: string, change: (text: string) => string): void {
  const text = change(readFileSync(join(backup, "manifest.json"), "utf8"));
  const sum = createHash("sha256").update(text).digest("hex");
  writeFileSync(join(backup, "manifest.json"), text);
  writeFileSync(join(backup, "manifest.json.sha256"), `${sum}  manifest.json\n`);
}

/** As if the database were in it; rejected before anyone looks for it. */
function claim(postgresPart: Record<string, unknown>) {
  const wholeManifest = {
    version: "18.4",
    platform: `${process.platform}-${process.arch}`,
    systemIdentifier: "1",
    endPosition: "0/1",
    worlds: [],
    ...postgresPart,
  };
  return (backup: string) =>
    rewrite(backup, (text) => JSON.stringify({ ...JSON.parse(text), postgres: wholeManifest }));
}

const unknownWorld = { name: "test", schema: "world_test", leaves: 0, migrations: ["999-later"] };

test.each<[string, (backup: string) => void, RegExp]>([
  [
    "is not finished",
    (folder) => rmSync(join(folder, "manifest.json")),
    /is not a finished backup/,
  ],
  [
    "lost its checksum",
    (folder) => rmSync(join(folder, "manifest.json.sha256")),
    /is not a finished backup/,
  ],
  [
    "has an altered manifest",
    (folder) => writeFileSync(join(folder, "manifest.json"), "{}"),
    /was altered: its manifest\.json/,
  ],
  ["lacks a file", (folder) => rmSync(join(folder, blob)), /is incomplete: blobs\/.* is missing/],
  ["lacks a key without a tombstone", (folder) => rmSync(join(folder, "keys", item)), /is missing/],
  [
    "has a shorter file",
    (folder) => truncateSync(join(folder, blob), 100),
    /altered or damaged: blobs/,
  ],
  [
    "has a changed byte",
    (folder) => {
      const bytes = readFileSync(join(folder, blob));
      bytes[1_000]! ^= 1;
      writeFileSync(join(folder, blob), bytes);
    },
    /altered or damaged: blobs/,
  ],
  [
    "has an extra file",
    (folder) => writeFileSync(join(folder, "notes.txt"), ""),
    /notes\.txt was not there/,
  ],
  [
    "has another format",
    (folder) => rewrite(folder, (text) => text.replace('"format": 1', '"format": 2')),
    /has format 2, and this Drydock reads format 1/,
  ],
  [
    "refers outside its folder",
    (folder) => rewrite(folder, (text) => text.replace(blob, "../../outside")),
    /was altered/,
  ],
  [
    "is of another PostgreSQL version",
    claim({ version: "17.2" }),
    /belongs to PostgreSQL 17, and this is PostgreSQL 18/,
  ],
  ["is of another machine", claim({ platform: "plan9-vax" }), /was made on plan9-vax/],
  [
    "is from a newer Drydock",
    claim({ worlds: [unknownWorld] }),
    /has 999-later, which this one does not know/,
  ],
])("a backup that %s is refused and restores nothing", async (_title, spoil, message) => {
  const { path } = await takeFiles(newFolder());
  spoil(path);
  const target = `${path}-restored`;
  await expect(restore(path, target)).rejects.toThrow(message);
  expect([existsSync(target), existsSync(`${target}.partial`)]).toEqual([false, false]);
});

test.each<[string, (target: string) => void, RegExp]>([
  [
    "is not empty",
    (target) => writeFileSync(join(target, "mine"), ""),
    /is not empty, and nothing is ever overwritten/,
  ],
  ["is in use", (target) => void lockDataDirectory(target), /A Drydock is running on/],
  ["holds an unfinished restore", (target) => mkdirSync(`${target}.partial`), /left by a restore/],
])("restoring into a directory that %s is refused", async (_title, prepare, message) => {
  const folder = newFolder();
  const { path } = await takeFiles(folder);
  const target = join(folder, "target");
  mkdirSync(target);
  prepare(target);
  const before = readdirSync(target);
  await expect(restore(path, target)).rejects.toThrow(message);
  expect(readdirSync(target)).toEqual(before);
});

test("restoring a backup into itself is refused", async () => {
  const { path } = await takeFiles(newFolder());
  await expect(restore(path, join(path, "data"))).rejects.toThrow(/one contains the other/);
});

test.each<[string, () => Parameters<typeof take>, RegExp]>([
  ["into a folder that does not exist", () => [join(root, "no-disk")], /There is no folder/],
  ["into the data directory", () => [join(data, "blobs")], /is inside the data directory/],
  [
    "of a directory without a database",
    () => [newFolder(), { dataDirectory: join(data, "blobs") }],
    /There is no database in/,
  ],
])("a backup %s is refused", async (_title, params, message) => {
  await expect(take(...params())).rejects.toThrow(message);
});

test("a complete backup reports earlier ones to which a deletion cannot be applied", async () => {
  const folder = newFolder();
  const destroyedKey = `person/cc/${"3".repeat(32)}`;
  const keys = createKeyFiles(join(data, "keys"));
  await keys.read(destroyedKey, true);
  const { path } = await takeFiles(folder);
  await keys.destroy(destroyedKey);
  mkdirSync(join(path, "keys", `${destroyedKey}.gone`));
  await expect(takeFiles(folder)).rejects.toThrow(
    /^The backup in .* is complete, but keys of people/,
  );
  expect(readdirSync(folder).length).toBe(2);
});

test("an aborted backup leaves no files", async () => {
  const folder = newFolder();
  const stopped = new AbortController();
  const onProgress = () => stopped.abort();
  await expect(take(folder, { onProgress, signal: stopped.signal })).rejects.toThrow();
  expect(readdirSync(folder)).toEqual([]);
});

test("a full disk is refused with the space needed and free", async () => {
  await expect(requireFreeSpace(root, 1e18)).rejects.toThrow(
    /Not enough disk space: .* needs about 1000000000\.\d\d GB, and \d/,
  );
});
