import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, inject, test } from "vitest";
import { sealOldRows } from "#server/app/sealOldRows.ts";
import { createSealing, type Sealing } from "#server/platform/crypto/fieldEncryption.ts";
import { migrate, readMigrations } from "#server/platform/db/migrate.ts";
import { appRole } from "#server/postgres/embedded.ts";
import { createTestDatabase, type TestDatabase } from "#server/testing/database.ts";
import { createTestParts } from "#server/testing/parts.ts";

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** A schema as version 1 left it, with one person's texts in the clear, and brought up to date. */
async function oldWorld() {
  const parts = await createTestParts();
  closers.push(() => parts.destroy());
  const old = await createTestDatabase({
    migrations: readMigrations().filter(({ name }) => name < "700"),
  });
  closers.push(() => old.destroy());
  const person = await fill(old);
  const { ownerUrl } = inject("postgres");
  await migrate({ ownerUrl, schema: old.schema, appRole });
  return { parts, old, person, ownerUrl };
}

async function fill({ owner: { pool } }: TestDatabase): Promise<string> {
  const person = randomUUID();
  const hash = Buffer.alloc(32);
  await pool.query("insert into user_account (user_id, created_at_ms) values ($1, 1)", [person]);
  await pool.query(
    "insert into user_attempt (attempt_id, user_id, number, opened_at_ms, opened_at_world_ms) values ($1, $1, 1, 1, 1)",
    [person],
  );
  await pool.query("insert into user_address values ($1, $2)", [`0x${"ab".repeat(20)}`, person]);
  await pool.query(
    "insert into user_authorisation values ($1, $2, 'sign_in', null, 'what was signed', $3, 1)",
    [randomUUID(), person, hash],
  );
  await pool.query("insert into address_book values ($1, $2, 'Zoë', 'peth', 'peth1abc', 1)", [
    randomUUID(),
    person,
  ]);
  for (const act of [null, { operatorId: "o", role: "support", reason: "class ends" }]) {
    await pool.query(
      `insert into withdrawal (id, user_id, attempt_id, coin, amount, fee, whole, network, address, placed_at_ms, placed_real_ms,
         cancel_until_ms, outcome, ended_by, ended_at_ms, ended_journal, act)
       values ($1, $2, $2, 'pUSDT', 10, 1, false, 'peth', 'peth1abc', 1, 1, 1, $3, $4, $5, $6, $7)`,
      act
        ? [randomUUID(), person, "left", "operator", 2, randomUUID(), act]
        : [randomUUID(), person, null, null, null, null, null],
    );
  }
  await pool.query(
    "insert into console_act (act_id, user_id, attempt_id, role, what, why, at_ms, recorded_at_ms) values ($1, $2, $2, 'r', 'w', 'they asked', 1, 1)",
    [randomUUID(), person],
  );
  await pool.query(
    `insert into history_file values ($1, repeat('a', 32), 'east.BTC-USDT.1m.csv', 'east', 'BTC/USDT', 'blob', 1, 1, 1, 2, true, 1)`,
    [person],
  );
  await pool.query(
    `insert into history_run (id, user_id, source, pool, setting, margin_bp, status, stage, data_hash, result, trades, asked_real_ms, beat_real_ms)
     values ($1, $1, 'files', 'hold east', '{"fromMs": 1}', 10, 'over', 'over', 'd', 'the result', 'the trades', 1, 1)`,
    [person],
  );
  await pool.query("insert into history_try values ($1, 'd', 'hold east 1 2', 5, 1)", [person]);
  return person;
}

const sealedTexts = `
  select address_sealed as bytes from user_address union all select text_sealed from user_authorisation
  union all select name_sealed from address_book union all select address_sealed from address_book
  union all select address_sealed from withdrawal union all select act_reason_sealed from withdrawal where act is not null
  union all select why_sealed from console_act union all select name_sealed from history_file
  union all select what_sealed from history_run union all select result_sealed from history_run
  union all select trades_sealed from history_run`;

async function opened({ owner }: TestDatabase, sealing: Sealing, person: string) {
  const { rows } = await owner.pool.query<{ bytes: Buffer }>(sealedTexts);
  const texts = await Promise.all(rows.map(({ bytes }) => sealing.openText(person, bytes)));
  return new Set(texts);
}

test("what an older version kept in the clear is sealed once, and nothing of it is lost", async () => {
  const { parts, old, person, ownerUrl } = await oldWorld();
  const options = { ownerUrl, schema: old.schema, sealing: parts.sealing, config: parts.config };
  expect(await sealOldRows(options)).toBe(9);
  expect(await sealOldRows(options)).toBe(0);
  expect(await opened(old, parts.sealing, person)).toEqual(
    new Set([
      "Zoë",
      `0x${"ab".repeat(20)}`,
      "class ends",
      "peth1abc",
      "they asked",
      "what was signed",
      "east.BTC-USDT.1m.csv",
      '{"pool": "hold east", "setting": {"fromMs": 1}}',
      "the result",
      "the trades",
    ]),
  );
  const { rows } = await old.owner.pool.query(`
    select address from user_address union all select text from user_authorisation union all select name from address_book
    union all select address from address_book union all select address from withdrawal union all select why from console_act
    union all select act->>'reason' from withdrawal union all select name from history_file union all select venue from history_file
    union all select pool from history_run union all select setting::text from history_run union all select result from history_run`);
  expect(new Set(rows.map(({ address }) => address))).toEqual(new Set([null]));
  const mac = await parts.sealing.blind("user_address.address", `0x${"ab".repeat(20)}`);
  const found = await old.owner.pool.query("select from user_address where address_mac = $1", [
    mac,
  ]);
  expect(found.rowCount).toBe(1);
  // As a test that is run again today would name it.
  const digest = await parts.sealing.blind("history_try.setting", `${person} hold east 1 2`);
  const tries = await old.owner.pool.query("select setting from history_try");
  expect(tries.rows).toEqual([{ setting: digest.toString("hex") }]);
});

test.each([
  ["is missing", false, /is missing/],
  ["is another's", true, /belongs to another database/],
])("a start is refused when the instance's key file %s", async (_title, another, sentence) => {
  const { parts, old, ownerUrl } = await oldWorld();
  const { config, bus, realClock } = parts;
  await sealOldRows({ ownerUrl, schema: old.schema, sealing: parts.sealing, config });
  rmSync(join(config.dataDirectory, "keys/instance"));
  const sealing = createSealing({ config, bus, realClock });
  if (another) await sealing.blind("any", "any");
  await expect(sealOldRows({ ownerUrl, schema: old.schema, sealing, config })).rejects.toThrow(
    sentence,
  );
});

test.each([
  ["an address", "insert into user_address (user_id, address) values ($1, '0xabc')"],
  [
    "a signed text",
    "insert into user_authorisation (authorisation_id, user_id, kind, text, text_hash, at_ms) values ($1, $1, 'sign_in', 'a', sha256(''), 1)",
  ],
  [
    "a name",
    "insert into address_book (entry_id, user_id, name, network, address, added_real_ms) values ($1::uuid, $1, 'a', 'n', 'b', 1)",
  ],
  [
    "a reason",
    "insert into console_act (act_id, user_id, attempt_id, role, what, why, at_ms, recorded_at_ms) values ($1::uuid, $1, $1, 'r', 'w', 'y', 1, 1)",
  ],
])("the database takes %s no longer in the clear", async (_title, statement) => {
  const parts = await createTestParts();
  closers.push(() => parts.destroy());
  await expect(parts.owner.pool.query(statement, [randomUUID()])).rejects.toThrow(
    /check constraint/,
  );
});
