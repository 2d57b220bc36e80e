import pg from "pg";
import { explainConnectionError, getConnectionMessage } from "#server/platform/db/startErrors.ts";
import { StartError } from "#server/platform/startError.ts";
import { requireSynchronousStandby } from "#server/postgres/replicationCheck.ts";
import { requireSessions } from "#server/postgres/sessionChecks.ts";

/** Oldest major version whose SQL the migrations are limited to. */
const oldestMajor = 16;

/**
 * Checks an external database before anything is written to it: both roles can connect, it is new
 * enough, both name the same writable database, the application's role cannot do what only the owner
 * may (a superuser or a member of the owner could change history), and sessions keep their locks,
 * settings and notifications, and what is committed survives the loss of a server (or
 * `asyncStandby` says that it need not). Throws a StartError that names the setting.
 */
export async function requireExternalDatabase(
  urls: { owner: string; app: string },
  asyncStandby = false,
): Promise<void> {
  const owner = await readFacts("DATABASE_OWNER_URL", urls.owner);
  const app = await readFacts("DATABASE_URL", urls.app, owner.role);
  if (owner.major < oldestMajor) {
    throw new StartError(
      `DATABASE_OWNER_URL is wrong: that is PostgreSQL ${owner.major}, and Drydock needs ${oldestMajor} or newer.`,
    );
  }
  for (const [setting, { readOnly }] of [
    ["DATABASE_OWNER_URL", owner],
    ["DATABASE_URL", app],
  ] as const) {
    if (!readOnly) continue;
    throw new StartError(
      `${setting} leads to a server that only reads: that is a standby, or default_transaction_read_only is on; name the primary.`,
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
  await requireSessions("DATABASE_OWNER_URL", urls.owner);
  await requireSessions("DATABASE_URL", urls.app);
  await withClient("DATABASE_OWNER_URL", urls.owner, (ownerClient) =>
    withClient("DATABASE_URL", urls.app, (appClient) =>
      requireSynchronousStandby({ owner: ownerClient, app: appClient }, asyncStandby),
    ),
  );
}

interface DatabaseFacts {
  role: string;
  database: string;
  major: number;
  readOnly: boolean;
  /** True if it can act as the given role; null if there is no such role. */
  isOwner: boolean | null;
}

async function readFacts(
  setting: string,
  url: string,
  owner: string | null = null,
): Promise<DatabaseFacts> {
  return withClient(setting, url, async (client) => {
    const { rows } = await client.query<DatabaseFacts>(
      `select current_user as role, current_database() as database,
         current_setting('server_version_num')::int / 10000 as major,
         current_setting('transaction_read_only') = 'on' as "readOnly",
         (select pg_has_role(current_user, oid, 'member') from pg_roles where rolname = $1) as "isOwner"`,
      [owner],
    );
    return rows[0]!;
  });
}

/** Throws a StartError if the database does not answer. */
async function withClient<Result>(
  setting: string,
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({
    connectionString: url,
    application_name: "drydock-start",
    connectionTimeoutMillis: 5_000,
  });
  client.on("error", () => {});
  try {
    await client.connect();
    return await work(client);
  } catch (error) {
    if (error instanceof StartError) throw error;
    // Neither the address nor its password: only the message of the system or PostgreSQL.
    const explanation = explainConnectionError(error);
    if (explanation !== null) throw new StartError(`${setting} cannot be used: ${explanation}.`);
    throw new StartError(
      `${setting} leads to no database that answers: ${getConnectionMessage(error)}.`,
    );
  } finally {
    await client.end();
  }
}
