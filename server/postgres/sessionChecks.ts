import { randomBytes } from "node:crypto";
import pg from "pg";
import { connectionConfig } from "#server/platform/db/pools.ts";
import { explainConnectionError, getConnectionMessage } from "#server/platform/db/startErrors.ts";
import { StartError } from "#server/platform/startError.ts";

/** How long a notification may take to arrive, in milliseconds. */
const notifyMs = 3_000;

const pooler =
  "a connection pooler in transaction or statement mode does that: lead it to PostgreSQL itself, or to a pooler in session mode";

/**
 * Checks that a database keeps what Drydock relies on within a session, with two sessions of the
 * kind the program opens: each has one backend, settings sent at connect time hold after a
 * transaction, an advisory lock of one is refused to the other, and (for `DATABASE_URL`) a
 * notification of one reaches the other. Poolers and look-alikes that accept all of this without
 * doing it would let two processes close the same second. Throws a StartError that names the
 * setting and the likely cause.
 */
export async function requireSessions(setting: string, url: string): Promise<void> {
  const first = openClient(url);
  const second = openClient(url);
  try {
    await first.connect();
    await second.connect();
    await requireOwnBackend(setting, first, second);
    await requireOptions(setting, first);
    await requireLocks(setting, first, second);
    if (setting === "DATABASE_URL") await requireNotifications(setting, first, second);
  } catch (error) {
    if (error instanceof StartError) throw error;
    const reason = explainConnectionError(error) ?? getConnectionMessage(error);
    throw new StartError(`${setting} cannot be used: ${reason}.`);
  } finally {
    await Promise.all([first.end(), second.end()].map((ending) => ending.catch(() => {})));
  }
}

/** A value that no server has by default. */
const probedTimeoutMs = 29_123;
const probedSchema = "drydock_session_check";

function openClient(url: string): pg.Client {
  const client = new pg.Client({
    ...connectionConfig({
      url,
      name: "drydock-start",
      schema: probedSchema,
      limits: {
        connectMs: 5_000,
        statementMs: probedTimeoutMs,
        lockMs: 5_000,
        idleInTransactionMs: 10_000,
      },
    }),
    // Against a server that accepts a query and never answers.
    query_timeout: 10_000,
  });
  client.on("error", () => {});
  return client;
}

/**
 * A transaction pooler gives a session any free backend: after both held one at once, and gave them
 * back in order, the first finds itself on another, whether the pooler hands out the oldest or the
 * latest.
 */
async function requireOwnBackend(
  setting: string,
  first: pg.Client,
  second: pg.Client,
): Promise<void> {
  const backends = new Set<number>();
  for (let round = 0; round < 3; round += 1) {
    await first.query("begin");
    await second.query("begin");
    backends.add(await getBackend(first));
    await first.query("commit");
    await second.query("commit");
    backends.add(await getBackend(first));
  }
  if (backends.size > 1 || backends.has(await getBackend(second))) {
    throw new StartError(
      `${setting} cannot be used: its sessions change their PostgreSQL backend between transactions, and with it every lock and setting; ${pooler}.`,
    );
  }
}

async function getBackend(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  return rows[0]!.pid;
}

async function requireOptions(setting: string, client: pg.Client): Promise<void> {
  await client.query("begin");
  await client.query("set local statement_timeout = 28001");
  await client.query("commit");
  const { rows } = await client.query<{ path: string; timeout: string }>(
    "select current_setting('search_path') as path, current_setting('statement_timeout') as timeout",
  );
  const { path, timeout } = rows[0]!;
  if (path === probedSchema && timeout === `${probedTimeoutMs}ms`) return;
  throw new StartError(
    `${setting} cannot be used: search_path and statement_timeout, sent in "options" when it connects, are not in force; a connection pooler that ignores startup parameters does that (ignore_startup_parameters of pgbouncer): lead it to PostgreSQL itself.`,
  );
}

async function requireLocks(setting: string, first: pg.Client, second: pg.Client): Promise<void> {
  const key = String(randomBytes(8).readBigInt64BE());
  const take = async (client: pg.Client) => {
    const { rows } = await client.query<{ held: boolean }>(
      "select pg_try_advisory_lock($1) as held",
      [key],
    );
    return rows[0]!.held;
  };
  const results = [await take(first), await take(second)];
  await first.query("select pg_advisory_unlock($1)", [key]);
  results.push(await take(second));
  if (results.join() === "true,false,true") return;
  throw new StartError(
    `${setting} cannot be used: an advisory lock that one session holds is not refused to another, so two processes could close the same second; a database that only imitates these locks does that (CockroachDB, YugabyteDB), or a connection pooler in transaction mode: lead it to PostgreSQL itself.`,
  );
}

async function requireNotifications(
  setting: string,
  first: pg.Client,
  second: pg.Client,
): Promise<void> {
  const channel = `drydock_check_${randomBytes(8).toString("hex")}`;
  const arrival = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => arrival.resolve(false), notifyMs);
  first.on("notification", (message) => {
    if (message.channel === channel) arrival.resolve(true);
  });
  try {
    await first.query(`listen ${channel}`);
    await second.query("select pg_notify($1, '')", [channel]);
    if (await arrival.promise) return;
  } catch (error) {
    if (explainConnectionError(error) !== null) throw error;
    throw new StartError(
      `${setting} cannot be used: LISTEN and NOTIFY fail there (${(error as Error).message}); lead it to PostgreSQL itself.`,
    );
  } finally {
    clearTimeout(timer);
  }
  throw new StartError(
    `${setting} cannot be used: a notification did not reach a session that listens for it within ${notifyMs / 1000} s; ${pooler}.`,
  );
}
