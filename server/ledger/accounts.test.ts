import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createAccounts } from "#server/ledger/accounts.ts";
import { classifyFailure } from "#server/ledger/audit/failures.ts";
import { type Database, SecondConnectionError } from "#server/platform/db/database.ts";
import { createTestDatabase, type TestDatabase } from "#server/testing/database.ts";

let world: TestDatabase;
let database: Database;
beforeAll(async () => {
  world = await createTestDatabase();
  ({ database } = world);
});
afterAll(() => world.destroy());

test("inside a transaction account() requires it, even for a cached account", async () => {
  const accounts = createAccounts(database);
  const id = await accounts.account("house", "fees", "pBTC");
  await database.db.transaction().execute(async (tx) => {
    const without = accounts.account("house", "fees", "pBTC");
    await expect(without).rejects.toBeInstanceOf(SecondConnectionError);
    expect(await accounts.account("house", "fees", "pBTC", tx)).toBe(id);
  });
});

test("an account opened in a rolled back transaction is not cached", async () => {
  const accounts = createAccounts(database);
  const undone = database.db.transaction().execute(async (tx) => {
    expect(await accounts.account("house", "fees", "pETH", tx)).toBeGreaterThan(0n);
    throw new Error("undone");
  });
  await expect(undone).rejects.toThrow("undone");
  const id = await accounts.account("house", "fees", "pETH");
  const { rows } = await sql`select id from account where id = ${id}`.execute(database.db);
  expect(rows).toEqual([{ id }]);
});

test("failureOf distinguishes final failures, lost connections and collisions", () => {
  expect(classifyFailure(new SecondConnectionError())).toBe("final");
  expect(classifyFailure(new Error("timeout exceeded when trying to connect"))).toBe("lost");
  expect(classifyFailure({ code: "25P03" })).toBe("lost");
  expect(classifyFailure({ code: "25P04" })).toBe("lost");
  expect(classifyFailure({ code: "55P03" })).toBe("collision");
});
