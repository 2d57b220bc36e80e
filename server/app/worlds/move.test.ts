import { execFile } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { migrate } from "#server/platform/db/migrate.ts";
import { type Directory, openDirectory } from "#server/platform/worlds/directory.ts";
import {
  appRole,
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from "#server/postgres/embedded.ts";

/** Two databases of one server, with a world that sleeps in the first. */
const directory = mkdtempSync(join(tmpdir(), "drydock-move-"));
chmodSync(directory, 0o711);
const toOtherDatabase = (url: string) => url.replace(/\/[^/?]+(\?|$)/, "/elsewhere$1");
let postgres: EmbeddedPostgres;
let worlds: Directory;
let here: pg.Client;
let target: pg.Client;

beforeAll(async () => {
  postgres = await startEmbeddedPostgres({ dataDirectory: directory, fleeting: true });
  const { adminUrl, ownerUrl, appUrl } = postgres;
  here = new pg.Client({ connectionString: adminUrl });
  await here.connect();
  await here.query("create database elsewhere owner drydock_owner");
  target = new pg.Client({ connectionString: toOtherDatabase(adminUrl) });
  await target.connect();
  worlds = await openDirectory({ owner: ownerUrl, app: appUrl });
}, 60_000);
afterAll(async () => {
  await worlds.close();
  await target.end();
  await here.end();
  await postgres.stop();
  rmSync(directory, { recursive: true, force: true });
});
beforeEach(async () => {
  for (const client of [here, target])
    await client.query("drop schema if exists world_tug cascade");
  await here.query("drop function if exists drydock_directory.cut cascade");
  await worlds.remove("tug");
  await worlds.add({ name: "tug", settings: {} }, { firstPort: 9_000, awakeMax: 60 });
  await worlds.setState("tug", "asleep");
  await makeWorld(postgres.ownerUrl, here);
}, 60_000);

/** The schema of a world whose log has one leaf. */
async function makeWorld(ownerUrl: string, client: pg.Client, leaf = "01"): Promise<void> {
  await migrate({ ownerUrl, schema: "world_tug", appRole });
  await client.query(
    `insert into world_tug.log_leaf (leaf, kind, bytes, at_ms) values (0, 1, '\\x${leaf}', 1)`,
  );
}

/** Runs `npm run worlds -- move tug`; resolves to its output. */
function move(): Promise<string> {
  const { ownerUrl, appUrl } = postgres;
  const from = { DATABASE_URL: appUrl, DATABASE_OWNER_URL: ownerUrl };
  const to = {
    TO_DATABASE_URL: toOtherDatabase(appUrl),
    TO_DATABASE_OWNER_URL: toOtherDatabase(ownerUrl),
  };
  const env = { PATH: process.env.PATH, DRYDOCK_DATA: directory, ...from, ...to };
  return new Promise((resolve) => {
    const args = ["tools/worlds/worlds.ts", "move", "tug"];
    execFile(process.execPath, args, { env }, (_error, stdout, stderr) => resolve(stdout + stderr));
  });
}

async function leavesIn(client: pg.Client): Promise<string | null> {
  const { rows } = await client.query("select to_regclass('world_tug.log_leaf') as log");
  if (rows[0].log === null) return null;
  const result = await client.query("select encode(bytes, 'hex') as bytes from world_tug.log_leaf");
  return result.rows.map(({ bytes }) => bytes).join();
}
const stateHere = async () => (await worlds.list()).find(({ name }) => name === "tug")?.state;

test("a move interrupted before its end leaves the source intact and can be resumed", async () => {
  await here.query(`create function drydock_directory.cut() returns trigger language plpgsql
    as $$ begin perform pg_terminate_backend(pg_backend_pid()); return old; end $$`);
  await here.query(`create trigger cut before delete on drydock_directory.world_entry
    for each row execute function drydock_directory.cut()`);
  expect(await move()).toContain("terminating connection");
  // With an entry but no schema, `remove` would delete the keys that the moved world needs.
  expect(await leavesIn(here)).toBe("01");
  expect(await stateHere()).toBe("archived");
  await here.query("drop function drydock_directory.cut cascade");

  expect(await move()).toMatch(/^The world tug is moved: \d+ rows of \d+ tables, all compared\./);
  expect(await leavesIn(here)).toBe(null);
  expect(await leavesIn(target)).toBe("01");
  expect(await stateHere()).toBeUndefined();
}, 120_000);

test("a refused move leaves a sleeping world asleep", async () => {
  await makeWorld(toOtherDatabase(postgres.ownerUrl), target, "02");
  expect(await move()).toContain(
    "The target has another world tug (log_leaf differs): nothing was moved",
  );
  expect(await leavesIn(here)).toBe("01");
  expect(await leavesIn(target)).toBe("02");
  expect(await stateHere()).toBe("asleep");
}, 120_000);
