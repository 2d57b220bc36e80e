import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { type Migration, migrate, readMigrations } from "#server/platform/db/migrate.ts";
import { appRole } from "#server/postgres/embedded.ts";
import { createTestDatabase, type TestDatabase } from "#server/testing/database.ts";

const first: Migration = {
  name: "000-first",
  sql: "create table thing (id int primary key, kind text not null default 'a'::text); grant select on thing to :app_role;",
};
const second: Migration = { name: "010-second", sql: "create table other (id int);" };

describe("migrate", () => {
  let test1: TestDatabase;
  beforeAll(async () => {
    test1 = await createTestDatabase({ migrations: [first] });
  });
  afterAll(() => test1.destroy());

  const run = (migrations: Migration[]) =>
    migrate({ ownerUrl: inject("postgres").ownerUrl, schema: test1.schema, appRole, migrations });

  test("runs each file once", async () => {
    expect(await run([first])).toEqual([]);
    expect(await run([first, second])).toEqual(["010-second"]);
    expect(await run([first, second])).toEqual([]);
  });

  test.each([
    [
      "a changed file is refused",
      [{ ...first, sql: `${first.sql} ` }, second],
      /000-first was changed/,
    ],
    ["a missing file is refused", [second], /000-first, which this version/],
    [
      "a failing file changes nothing and names its line",
      [first, second, { name: "020-bad", sql: "create table half (id int);\nselect nonsense;" }],
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

  test("the application's role has what a file grants it, and nothing else", async () => {
    await expect(test1.database.pool.query("select * from thing")).resolves.toBeTruthy();
    await expect(test1.database.pool.query("insert into thing values (1)")).rejects.toThrow(
      /permission/,
    );
    await expect(test1.database.pool.query("select * from other")).rejects.toThrow(/permission/);
    await expect(test1.database.pool.query("create table mine (id int)")).rejects.toThrow(
      /permission/,
    );
  });

  test("all of our own files run, in number order, on an empty schema, and none is wider than 100 columns", async () => {
    const names = readMigrations().map(({ name }) => name);
    expect(names).toEqual(names.toSorted());
    const wide = readMigrations().flatMap(({ name, sql }) =>
      sql.split("\n").flatMap((line, at) => (line.length > 100 ? `${name}:${at + 1}` : [])),
    );
    expect(wide).toEqual([]);
    const full = await createTestDatabase();
    await full.destroy();
  });
});
