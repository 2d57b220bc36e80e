import { afterAll, beforeAll, expect, test } from "vitest";
import { createLogger } from "#server/platform/logger.ts";
import { createTestDatabase } from "#server/testing/database.ts";

/** The log's form of an error. */
function logged(error: unknown): { line: string; err: Record<string, unknown> } {
  let line = "";
  const logger = createLogger("error", {
    write: (text) => {
      line += text;
    },
  });
  logger.error({ err: error }, "failed");
  return { line, err: JSON.parse(line).err };
}

let db: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
  db = await createTestDatabase();
  await db.owner.pool.query("create table secret (word text primary key, number integer)");
  await db.owner.pool.query("insert into secret values ('mother of pearl', 1)");
});
afterAll(() => db.destroy());

test.each([
  ["a wrong value", "select 'mother of pearl'::integer", "22P02"],
  ["a repeated key", "insert into secret values ('mother of pearl', 2)", "23505"],
  ["a value in JSON", "select '{mother of pearl'::jsonb", "22P02"],
  ["a condition", "do $$ begin raise exception 'about mother of pearl'; end $$", "P0001"],
])("a database error with %s is logged by code and stack only", async (_what, query, code) => {
  const error = await db.owner.pool.query(query).catch((error: unknown) => error);
  const { message, detail } = error as { message: string; detail?: string };
  expect(`${message} ${detail}`).toContain("mother");
  const { line, err } = logged(error);
  expect(line.replaceAll("logger.test.ts", "")).not.toContain("mother");
  expect(err).toMatchObject({ code, stack: expect.stringContaining("logger.test.ts") });
});

test("a unique violation is logged with its constraint", async () => {
  const query = "insert into secret values ('mother of pearl', 2)";
  const error = await db.owner.pool.query(query).catch((error: unknown) => error);
  expect(logged(error).err).toMatchObject({ table: "secret", constraint: "secret_pkey" });
});

test("our own message is logged, and input quoted in it is not", () => {
  expect(logged(new Error("operator call mounted without operators")).err).toMatchObject({
    text: "operator call mounted without operators",
  });
  const address = `0x${"ab".repeat(20)}`;
  for (const act of [
    () => JSON.parse('mother of pearl"'),
    () => new URL("mother of pearl"),
    () => {
      throw new Error(`no balance of ${address} for desk@example.org`);
    },
    () => {
      throw new Error("no such thing: 'mother\nof pearl'");
    },
  ]) {
    const error = (() => {
      try {
        return act();
      } catch (error) {
        return error;
      }
    })();
    expect(logged(error).line).not.toMatch(/mother|pearl|0xabab|desk@/);
  }
});

test("causes are logged with the same redaction", () => {
  const cause = Object.assign(new Error('invalid: "mother of pearl"'), {
    severity: "ERROR",
    code: "22P02",
  });
  const { line, err } = logged(new Error("posting failed", { cause }));
  expect(line).not.toContain("mother of pearl");
  expect(err).toMatchObject({ text: "posting failed", cause: { code: "22P02" } });
});
