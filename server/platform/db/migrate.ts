import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { lockKey } from "#server/platform/db/database.ts";
import { StartError } from "#server/platform/startError.ts";

export interface Migration {
  /** File name without ".sql", such as "100-ledger". */
  name: string;
  sql: string;
}

const fileName = /^(\d{3})-[a-z0-9-]+\.sql$/;

/** Every `NNN-name.sql` of a directory in number order. */
export function readMigrations(
  directory: string = join(import.meta.dirname, "../../migrations"),
): Migration[] {
  const files = readdirSync(directory).filter((file) => file.endsWith(".sql"));
  for (const file of files) {
    if (!fileName.test(file))
      throw new StartError(`The migration ${file} is not named NNN-name.sql.`);
  }
  return files.toSorted().map((file) => ({
    name: file.slice(0, -".sql".length),
    sql: readFileSync(join(directory, file), "utf8"),
  }));
}

/** Quotes an identifier for SQL. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/**
 * Brings the world's schema up to date, as the owner role: creates it if it is missing, then runs
 * each file that has not run yet, in number order and all in one transaction, with `:app_role` and
 * `:schema` replaced by the quoted names. Returns the names that ran. If one fails, none has run.
 * If a file that was applied has since changed or disappeared, the world was made by another
 * version: throws a StartError and touches nothing.
 */
export async function migrate(options: {
  ownerUrl: string;
  schema: string;
  appRole: string;
  migrations?: Migration[];
}): Promise<string[]> {
  const migrations = options.migrations ?? readMigrations();
  const schema = quoteName(options.schema);
  const appRole = quoteName(options.appRole);
  const client = new pg.Client({
    connectionString: options.ownerUrl,
    application_name: "drydock-migrate",
  });
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [String(lockKey(options.schema, "migrate"))]);
    const pendingMigrations = getPending(migrations, await readApplied(client, schema));
    // Then nothing is written: someone is waiting for the world to wake.
    if (pendingMigrations.length === 0 && (await mayUse(client, options))) return [];
    await client.query(`create schema if not exists ${schema}`);
    await client.query(`set search_path to ${schema}`);
    await client.query(`grant usage on schema ${schema} to ${appRole}`);
    await client.query(
      `create table if not exists migration (
        name text primary key,
        sha256 text not null,
        applied_at timestamptz not null default clock_timestamp()
      )`,
    );
    await applyAll(client, pendingMigrations, schema, appRole);
    return pendingMigrations.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Returns true if the schema exists and the application's role may use it. */
async function mayUse(
  client: pg.Client,
  { schema, appRole }: { schema: string; appRole: string },
): Promise<boolean> {
  const { rows } = await client.query<{ may: boolean }>(
    "select has_schema_privilege($1, oid, 'usage') as may from pg_namespace where nspname = $2",
    [appRole, schema],
  );
  return rows[0]?.may ?? false;
}

type AppliedMigration = { name: string; sha256: string };

async function readApplied(client: pg.Client, schema: string): Promise<AppliedMigration[]> {
  const { rows: existingTables } = await client.query<{ there: boolean }>(
    "select to_regclass($1) is not null as there",
    [`${schema}.migration`],
  );
  if (!existingTables[0]!.there) return [];
  const { rows } = await client.query<AppliedMigration>(
    `select name, sha256 from ${schema}.migration order by name`,
  );
  return rows;
}

function getPending(files: Migration[], applied: AppliedMigration[]): Migration[] {
  const byName = new Map(files.map((file) => [file.name, file]));
  for (const { name, sha256: hash } of applied) {
    const file = byName.get(name);
    if (!file || sha256(file.sql) !== hash) {
      const difference = file ? `its ${name} differs` : `it has ${name}`;
      throw new StartError(
        `This world was made by another version of Drydock (${difference}): start a new one with WORLD=<name>, or run that version.`,
      );
    }
    byName.delete(name);
  }
  return files.filter(({ name }) => byName.has(name));
}

/** In one transaction: thirty commits of a new world would be thirty waits for the disk. */
async function applyAll(
  client: pg.Client,
  pendingMigrations: readonly Migration[],
  schema: string,
  appRole: string,
): Promise<void> {
  if (pendingMigrations.length === 0) return;
  await client.query("begin");
  try {
    // Temporary tables last: a SECURITY DEFINER function that inherits this path (`set search_path
    // from current`) must never resolve a caller's temporary table where it means one of the
    // world's.
    await client.query(`set local search_path to ${schema}, pg_temp`);
    for (const migration of pendingMigrations) await apply(client, migration, schema, appRole);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback").catch(() => {});
    throw error;
  }
}

async function apply(
  client: pg.Client,
  { name, sql }: Migration,
  schema: string,
  appRole: string,
): Promise<void> {
  // Not after another colon: `::text` is a cast.
  const text = sql.replaceAll(/(?<!:):app_role\b/g, appRole).replaceAll(/(?<!:):schema\b/g, schema);
  try {
    await client.query(text);
    await client.query("insert into migration (name, sha256) values ($1, $2)", [name, sha256(sql)]);
  } catch (error) {
    const { message, position, where } = error as {
      message: string;
      position?: string;
      where?: string;
    };
    const line = position ? ` at line ${text.slice(0, Number(position)).split("\n").length}` : "";
    throw new StartError(
      `The migration ${name} failed${line}: ${message}${where ? ` (${where})` : ""}`,
    );
  }
}
