import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { utf8ToBytes } from "#core/transparency-log/bytes.ts";
import { StartError } from "#server/platform/startError.ts";
import { createTestContext, type TestContext } from "#server/testing/testContext.ts";
import { createTransparencyLog } from "#server/transparency-log/transparencyLog.ts";

let ctx: TestContext;
beforeEach(async () => {
  ctx = await createTestContext();
});
afterEach(() => ctx.destroy());

const path = () => join(ctx.config.dataDirectory, `log-head-${ctx.world.name}.json`);
const readHead = () => JSON.parse(readFileSync(path(), "utf8")) as { size: number; root: string };
const writeHead = (head: unknown) => writeFileSync(path(), JSON.stringify(head));

async function append(count: number): Promise<void> {
  const log = createTransparencyLog(ctx);
  await ctx.database.db.transaction().execute((tx) =>
    log.append(
      tx,
      Array.from({ length: count }, (_, index) => ({
        kind: "second" as const,
        bytes: utf8ToBytes(`leaf ${index}`),
      })),
    ),
  );
}

/** Starts a process; returns the outcomes of its start and its signing. */
async function startAndSign(): Promise<unknown[]> {
  const log = createTransparencyLog(ctx);
  const outcomes = await Promise.allSettled([log.prepare(), log.integrate()]);
  return outcomes.map((outcome) =>
    outcome.status === "rejected" ? (outcome.reason as Error) : "fine",
  );
}

test("the newest signed head is stored beside the key for the next process", async () => {
  await append(300);
  const first = (await createTransparencyLog(ctx).integrate())!;
  expect(readHead()).toMatchObject({ size: 300, root: Buffer.from(first.root).toString("hex") });
  await append(5);
  expect(await startAndSign()).toEqual(["fine", "fine"]);
  expect(readHead().size).toBe(305);
});

test("a database that lost signed leaves is refused at the start and never signed", async () => {
  await append(10);
  await createTransparencyLog(ctx).integrate();
  writeHead({ ...readHead(), size: 12 });
  await append(1);
  const before = await createTransparencyLog(ctx).checkpoint();
  for (const error of await startAndSign()) {
    expect(error).toBeInstanceOf(StartError);
    expect((error as Error).message).toContain("signed with 12 leaves and this database has 11");
  }
  expect(await createTransparencyLog(ctx).checkpoint()).toEqual(before);
});

test.each([
  10, 4, 12,
])("a database whose first %i leaves differ is refused and never signed", async (size) => {
  await append(10);
  await createTransparencyLog(ctx).integrate();
  await append(2);
  writeHead({ ...readHead(), size, root: "ab".repeat(32) });
  for (const error of await startAndSign()) {
    expect((error as Error).message).toContain(`first ${size} leaves`);
  }
  expect((await createTransparencyLog(ctx).checkpoint())!.size).toBe(10);
});

test("a running process refuses to sign after its database was replaced", async () => {
  await append(10);
  const log = createTransparencyLog(ctx);
  await log.integrate();
  writeHead({ ...readHead(), size: 11, root: "ab".repeat(32) });
  await append(1);
  await expect(log.integrate()).rejects.toThrow("fork the public log");
});

test("the next process recovers from a crash between signing and commit", async () => {
  await append(10);
  await createTransparencyLog(ctx).integrate();
  await append(290);
  await ctx.owner.pool.query(
    "alter table log_checkpoint add constraint broken check (false) not valid",
  );
  await expect(createTransparencyLog(ctx).integrate()).rejects.toThrow("broken");
  expect(readHead().size).toBe(300);
  await ctx.owner.pool.query("alter table log_checkpoint drop constraint broken");
  expect(await startAndSign()).toEqual(["fine", "fine"]);
});

test("a damaged head file is reported", async () => {
  await append(1);
  await createTransparencyLog(ctx).integrate();
  writeFileSync(path(), "{");
  const [start] = await startAndSign();
  expect((start as Error).message).toBe(`The file ${path()} is damaged: put a copy of it back.`);
});
