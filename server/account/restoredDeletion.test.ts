import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { getUserInfo } from "#api/session.ts";
import { addAddress } from "#api/withdraw.ts";
import { encodeAddress } from "#core/addresses/address.ts";
import type { World } from "#server/app/modules.ts";
import type { App } from "#server/platform/http/context.ts";
import { type createClient, signIn, type TestSession } from "#server/testing/client.ts";
import { createTestApp, listenForClient, type TestApp } from "#server/testing/testApp.ts";
import type { TestContext } from "#server/testing/testContext.ts";

/** A database restored from before a deletion, with keys that record the deletion. */
let ctx: TestContext;
let world: World;
let app: App;
let close: TestApp["close"];
let client: ReturnType<typeof createClient>;

beforeAll(async () => {
  ({ ctx, world, app, close } = await createTestApp());
  client = await listenForClient(app);
});
afterAll(async () => {
  client.close();
  await close();
});

async function signInWithAddress(): Promise<TestSession> {
  const person = await signIn(client);
  const input = { name: "Desk", address: encodeAddress("peth", randomBytes(20)) };
  await client.call({ ...addAddress, input, token: person.token });
  return person;
}

const hasRow = async (table: string, { userId }: TestSession) => {
  const { rows } = await ctx.owner.pool.query(`select from ${table} where user_id = $1`, [userId]);
  return rows.length > 0;
};

const readFinished = async () => {
  const { rows } = await ctx.owner.pool.query<{ user_id: string; over: boolean }>(
    "select user_id, finished_at_ms is not null as over from account_deletion",
  );
  return new Map(rows.map((row) => [row.user_id, row.over]));
};

test("a restored person is deleted again once, and a failure blocks no one else", async () => {
  const [failingPerson, deleted, otherPerson] = [
    await signInWithAddress(),
    await signInWithAddress(),
    await signInWithAddress(),
  ];
  let fails = true;
  const [first] = world.services.account.personalData();
  const { erase } = first!;
  vi.spyOn(first!, "erase").mockImplementation(async (userId) => {
    if (fails && userId === failingPerson.userId) throw new Error("cannot be erased now");
    await erase(userId);
  });
  for (const { userId } of [failingPerson, deleted]) await ctx.fieldEncryption.destroyKey(userId);
  expect(await hasRow("user_address", deleted)).toBe(true);
  await ctx.jobs.runNow("account.deletion");
  for (const [table, isPresent] of [
    ["user_address", false],
    ["address_book", false],
    ["account_deletion", true],
  ] as const) {
    expect(await hasRow(table, deleted), table).toBe(isPresent);
    expect(await hasRow(table, otherPerson), table).toBe(!isPresent);
  }
  const info = (token: string) =>
    client.call({ method: getUserInfo.method, path: getUserInfo.path, token });
  await expect(info(deleted.token)).rejects.toMatchObject({ error: "session.required" });
  await info(otherPerson.token);
  expect(await readFinished()).toEqual(
    new Map([failingPerson, deleted].map((session, index) => [session.userId, index === 1])),
  );
  fails = false;
  await ctx.jobs.runNow("account.deletion");
  expect([...(await readFinished()).values()]).toEqual([true, true]);
});
