import { join } from "node:path";
import pg from "pg";
import { fileNameUse } from "#server/backtest/files.ts";
import { tryUse } from "#server/backtest/runs.ts";
import type { Config } from "#server/platform/config/config.ts";
import type { Sealing } from "#server/platform/crypto/fieldEncryption.ts";
import { lockKey } from "#server/platform/db/database.ts";
import { quoteName } from "#server/platform/db/migrate.ts";
import { StartError } from "#server/platform/startError.ts";
import { addressUse } from "#server/session/users.ts";

interface Options {
  ownerUrl: string;
  schema: string;
  sealing: Sealing;
  config: Pick<Config, "dataDirectory">;
}

interface Column {
  clear: string;
  sealed: string;
  /** Where the text is not the whole column: how it is read and taken out. */
  inside?: { read: string; empty: string };
  /** Column and use of a digest that finds the row. */
  mac?: { column: string; use: string; ofPerson?: true };
}

/** What earlier versions kept in the clear. */
const tables: readonly { table: string; key: string; columns: readonly Column[] }[] = [
  {
    table: "user_address",
    key: "user_id",
    columns: [
      {
        clear: "address",
        sealed: "address_sealed",
        mac: { column: "address_mac", use: addressUse },
      },
    ],
  },
  {
    table: "user_authorisation",
    key: "authorisation_id",
    columns: [{ clear: "text", sealed: "text_sealed" }],
  },
  {
    table: "address_book",
    key: "entry_id",
    columns: [
      { clear: "name", sealed: "name_sealed" },
      { clear: "address", sealed: "address_sealed" },
    ],
  },
  {
    table: "withdrawal",
    key: "id",
    columns: [
      { clear: "address", sealed: "address_sealed" },
      // Why an operator paid sooner.
      {
        clear: "reason",
        sealed: "act_reason_sealed",
        inside: { read: "act->>'reason'", empty: "act = act - 'reason'" },
      },
    ],
  },
  {
    table: "history_file",
    key: "blob",
    columns: [
      {
        clear: "name",
        sealed: "name_sealed",
        mac: { column: "name_mac", use: fileNameUse, ofPerson: true },
        inside: { read: "name", empty: "name = null, venue = null" },
      },
    ],
  },
  {
    table: "history_run",
    key: "id",
    columns: [
      {
        clear: "what",
        sealed: "what_sealed",
        inside: {
          read: "case when setting is not null then jsonb_build_object('pool', pool, 'setting', setting)::text end",
          empty: "pool = null, setting = null",
        },
      },
      { clear: "result", sealed: "result_sealed" },
      { clear: "trades", sealed: "trades_sealed" },
    ],
  },
  { table: "console_act", key: "act_id", columns: [{ clear: "why", sealed: "why_sealed" }] },
];

const atOnce = 500;

/**
 * Once for each data directory of an older version, as the owner role and before anything reads: seals what lies in the clear,
 * empties those columns, and rewrites the tables so that the old bytes are in none of their files. Every start checks that the
 * instance's key file is the one that the addresses were looked up with; a StartError says what to put back. Gives how many rows
 * were sealed.
 */
export async function sealOldRows(options: Options): Promise<number> {
  const client = new pg.Client({
    connectionString: options.ownerUrl,
    application_name: "drydock-sealing",
  });
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query(`set search_path to ${quoteName(options.schema)}`);
    await client.query("select pg_advisory_lock($1)", [String(lockKey(options.schema, "sealing"))]);
    await checkKey(client, options);
    const { rows } = await client.query<{ rewritten: boolean }>(
      "select rewritten from sealing_state",
    );
    if (rows[0]!.rewritten) return 0;
    let count = 0;
    for (const one of tables) count += await sealTable(client, options.sealing, one);
    count += await digestTries(client, options.sealing);
    for (const { table } of [...tables, { table: "history_try" }])
      await client.query(`vacuum (full, analyze) ${table}`);
    // The planner's samples of the emptied columns, where the role may: otherwise a warning, and they are overwritten in time.
    await client.query("vacuum (full) pg_catalog.pg_statistic");
    await client.query("update sealing_state set rewritten = true");
    return count;
  } finally {
    await client.end();
  }
}

async function checkKey(client: pg.Client, { sealing, config }: Options): Promise<void> {
  const { rows } = await client.query<{ fingerprint: Buffer | null }>(
    "select fingerprint from sealing_state",
  );
  const known = rows[0]!.fingerprint;
  const found = await sealing.fingerprint(known === null);
  if (known === null) {
    await client.query("update sealing_state set fingerprint = $1", [found]);
    return;
  }
  const path = join(config.dataDirectory, "keys/instance");
  if (!found) {
    throw new StartError(
      `The key file ${path} is missing, and without it nobody who signed in before would be known again: put a copy of it back.`,
    );
  }
  if (!found.equals(known)) {
    throw new StartError(
      `The key file ${path} belongs to another database than this one: put the right copy back.`,
    );
  }
}

/** A setting only tells one try from another: a digest does as well. */
async function digestTries(client: pg.Client, sealing: Sealing): Promise<number> {
  const { rows } = await client.query<{ user_id: string; data_hash: string; setting: string }>(
    "select user_id, data_hash, setting from history_try where setting !~ '^[0-9a-f]{64}$'",
  );
  for (const { user_id: person, data_hash: data, setting } of rows) {
    const digest = await sealing.blind(tryUse, `${person} ${setting}`);
    await client.query(
      "update history_try set setting = $4 where user_id = $1 and data_hash = $2 and setting = $3",
      [person, data, setting, digest.toString("hex")],
    );
  }
  return rows.length;
}

async function sealTable(
  client: pg.Client,
  sealing: Sealing,
  { table, key, columns }: (typeof tables)[number],
): Promise<number> {
  const [first] = columns;
  const read = columns.map(({ clear, inside }) => `${inside?.read ?? clear} as ${clear}`);
  let count = 0;
  for (;;) {
    const { rows } = await client.query<Record<string, string | Buffer | null>>(
      `select ${key}, user_id, ${read.join(", ")} from ${table}
       where ${first!.inside?.read ?? first!.clear} is not null order by ${key} limit ${atOnce}`,
    );
    for (const row of rows) {
      const values: unknown[] = [row[key]];
      const sets: string[] = [];
      const set = (column: string, value: unknown) =>
        sets.push(`${column} = $${values.push(value)}`);
      for (const { clear, sealed, mac, inside } of columns) {
        const text = row[clear];
        if (text === null || text === undefined) continue;
        sets.push(inside?.empty ?? `${clear} = null`);
        const person = String(row.user_id);
        set(sealed, await sealing.seal(person, text));
        if (mac) {
          const named = mac.ofPerson ? `${person} ${String(text)}` : String(text);
          set(mac.column, await sealing.blind(mac.use, named));
        }
      }
      await client.query(`update ${table} set ${sets.join(", ")} where ${key} = $1`, values);
    }
    count += rows.length;
    if (rows.length < atOnce) return count;
  }
}
