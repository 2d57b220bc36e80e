import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { type Migration, migrate, readMigrations } from "#server/platform/db/migrate.ts";
import { appRole } from "#server/postgres/embedded.ts";
import { createTestDatabase, type TestDatabase } from "#server/testing/database.ts";

const first: Migration = {
  name: "000-first",
  sql: "create table thing (id int primary key, kind text not null default 'a'::text); grant select on thing to :app_role;",
};
const second: Migration = { name: "010-second", sql: "create table other (id int);" };
const goodMigration: Migration = { name: "015-good", sql: "create table good (id int);" };

describe("migrate", () => {
  let test1: TestDatabase;
  beforeAll(async () => {
    test1 = await createTestDatabase({ migrations: [first] });
  });
  afterAll(() => test1.destroy());

  const run = (migrations: Migration[]) =>
    migrate({ ownerUrl: inject("postgres").ownerUrl, schema: test1.schema, appRole, migrations });

  test("each file runs once", async () => {
    expect(await run([first])).toEqual([]);
    expect(await run([first, second])).toEqual(["010-second"]);
    expect(await run([first, second])).toEqual([]);
  });

  test("nothing is written when every file has run, unless the role lacks a grant", async () => {
    const { pool } = test1.owner;
    const version = async () => {
      const { rows } = await pool.query(
        "select xmin::text as version from pg_namespace where nspname = $1",
        [test1.schema],
      );
      return rows[0].version;
    };
    const before = await version();
    await run([first, second]);
    expect(await version()).toBe(before);
    await pool.query(`revoke usage on schema ${test1.schema} from ${appRole}`);
    await run([first, second]);
    await expect(test1.database.pool.query("select from thing")).resolves.toBeDefined();
  });

  test.each([
    [
      "a world made with a since changed file is refused",
      [{ ...first, sql: `${first.sql} ` }, second],
      /another version of Drydock \(its 000-first differs\): start a new one with WORLD=/,
    ],
    [
      "a world made with a since removed file is refused",
      [second],
      /another version of Drydock \(it has 000-first\)/,
    ],
    [
      "a failing file undoes those before it and names its line",
      [
        first,
        second,
        goodMigration,
        { name: "020-bad", sql: "create table half (id int);\nselect nonsense;" },
      ],
      /020-bad failed at line 2: column "nonsense" does not exist/,
    ],
  ])("%s", async (_title, migrations, message) => {
    await expect(run(migrations)).rejects.toThrow(message);
    const { rows } = await test1.owner.pool.query(
      "select table_name from information_schema.tables where table_schema = $1 order by 1",
      [test1.schema],
    );
    expect(rows.map((row) => row.table_name)).toEqual(["migration", "other", "thing"]);
  });

  test("a refused world is left untouched, including its grants", async () => {
    const { pool } = test1.owner;
    await pool.query(`revoke usage on schema ${test1.schema} from ${appRole}`);
    const standing = async () => {
      const { rows } = await pool.query(
        `select (select json_agg(n order by n.oid) from pg_namespace n where starts_with(nspname, $1)) as schemas,
           (select json_agg(c order by c.oid) from pg_class c where relnamespace = $1::regnamespace) as relations,
           (select json_agg(m order by m.name) from migration m) as applied`,
        [test1.schema],
      );
      return rows[0];
    };
    const before = await standing();
    await expect(run([second])).rejects.toThrow(/another version/);
    expect(await standing()).toEqual(before);
    // A world of this version gets them.
    await run([first, second]);
    expect(await standing()).not.toEqual(before);
  });

  test("the application's role has only what the files grant", async () => {
    await expect(test1.database.pool.query("select * from thing")).resolves.toBeTruthy();
    await expect(test1.database.pool.query("insert into thing values (1)")).rejects.toThrow(
      /permission/,
    );
    await expect(test1.database.pool.query("select * from other")).rejects.toThrow(/permission/);
    await expect(test1.database.pool.query("create table mine (id int)")).rejects.toThrow(
      /permission/,
    );
  });

  test("our migrations run in order on an empty schema and stay within 100 columns", async () => {
    const names = readMigrations().map(({ name }) => name);
    expect(names).toEqual(names.toSorted());
    const wideLines = readMigrations().flatMap(({ name, sql }) =>
      sql.split("\n").flatMap((line, index) => (line.length > 100 ? `${name}:${index + 1}` : [])),
    );
    expect(wideLines).toEqual([]);
    const full = await createTestDatabase();
    await full.destroy();
  });
});
