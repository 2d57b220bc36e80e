import pg from "pg";
import { StartError } from "#server/platform/startError.ts";

/** Oldest major version whose SQL the migrations are limited to. */
const oldestMajor = 16;

/**
 * Checks an external database before anything is written to it: both roles can connect, it is new
 * enough, both name the same database, and the application's role cannot do what only the owner may
 * (a superuser or a member of the owner could change history). Throws a StartError that names the
 * setting.
 */
export async function requireExternalDatabase(urls: { owner: string; app: string }): Promise<void> {
  const owner = await readFacts("DATABASE_OWNER_URL", urls.owner);
  const app = await readFacts("DATABASE_URL", urls.app, owner.role);
  if (owner.major < oldestMajor) {
    throw new StartError(
      `DATABASE_OWNER_URL is wrong: that is PostgreSQL ${owner.major}, and Drydock needs ${oldestMajor} or newer.`,
    );
  }
  if (app.database !== owner.database || app.isOwner === null) {
    throw new StartError(
      "DATABASE_URL and DATABASE_OWNER_URL lead to different databases: they must be one database, entered by two roles.",
    );
  }
  if (app.isOwner) {
    throw new StartError(
      `DATABASE_URL is wrong: its role ${app.role} can act as ${owner.role}, which owns the tables, and so could change history; give the application a role without that right.`,
    );
  }
}

interface DatabaseFacts {
  role: string;
  database: string;
  major: number;
  /** Whether it can act as the given role; null if there is no such role. */
  isOwner: boolean | null;
}

async function readFacts(
  setting: string,
  url: string,
  owner: string | null = null,
): Promise<DatabaseFacts> {
  const client = new pg.Client({
    connectionString: url,
    application_name: "drydock-start",
    connectionTimeoutMillis: 5_000,
  });
  client.on("error", () => {});
  try {
    await client.connect();
    const { rows } = await client.query<DatabaseFacts>(
      `select current_user as role, current_database() as database,
         current_setting('server_version_num')::int / 10000 as major,
         (select pg_has_role(current_user, oid, 'member') from pg_roles where rolname = $1) as "isOwner"`,
      [owner],
    );
    return rows[0]!;
  } catch (error) {
    // Neither the address nor its password: only what the system or PostgreSQL reported.
    throw new StartError(`${setting} leads to no database that answers: ${reasonOf(error)}.`);
  } finally {
    await client.end();
  }
}

/** A name with several addresses fails with a list of errors and no message of its own. */
function reasonOf(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error;
  return (first as Error).message.replace(/\.$/, "");
}
