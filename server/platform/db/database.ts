import { AsyncLocalStorage } from "node:async_hooks";
import type { Duplex } from "node:stream";
import {
  Kysely,
  type KyselyConfig,
  PostgresDialect,
  sql,
  type Transaction,
  type TransactionBuilder,
} from "kysely";
import pg from "pg";
import {
  connectionConfig,
  getCurrentPurpose,
  type Purpose,
  poolSizes,
  responseGraceMs,
  type SessionLimits,
  sessionLimits,
} from "#server/platform/db/pools.ts";
import { createWaitMeter } from "#server/platform/db/waitMeter.ts";

/** Tables are not typed here: each statement declares its row type. */
// biome-ignore lint/suspicious/noExplicitAny: Kysely's own way to say "no tables"
export type Db = Kysely<any>;
// biome-ignore lint/suspicious/noExplicitAny: as above
export type Tx = Transaction<any>;

// Amounts and ids are bigint; the driver would return them as strings.
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, (text) => BigInt(text));
types.setTypeParser(pg.types.builtins.NUMERIC, (text) => {
  if (!/^-?\d+$/.test(text)) throw new RangeError(`numeric ${text} is not an integer`);
  return BigInt(text);
});

interface PoolState {
  inUse: number;
  /** Connections at most. */
  size: number;
  waiting: number;
  /** Real milliseconds: the longest wait for a connection in the last half to whole minute. */
  longestWaitMs: number;
}

export interface Database {
  /** Connections come from the pool of the current purpose; inside a transaction it refuses. */
  readonly db: Db;
  /** The pool of requests, for commands and tests; one that worlds share has no search path. */
  readonly pool: pg.Pool;
  /** The world's schema, the only one on the search path. */
  readonly schema: string;
  /**
   * Throws a SecondConnectionError inside a transaction. For reads that usually need no connection
   * because the answer is cached: without this check they would fail only intermittently.
   */
  refuseInTransaction(): void;
  /**
   * The users of each pool's connections now, and how long others wait for one; with those of the
   * other worlds that share the pools.
   */
  pools(): Readonly<Record<Purpose, PoolState>>;
  /** Closes the connections of a pool that this world uses: their work fails and is rolled back. */
  cut(purpose: Purpose): void;
  close(): Promise<void>;
}

/**
 * A programming error: code that holds a connection while waiting for another can deadlock, because
 * those who hold the others may be waiting for this transaction's locks. Only this call fails, and
 * its transaction is rolled back.
 */
export class SecondConnectionError extends Error {
  constructor() {
    super(
      "a second connection was asked for inside a transaction: hand the transaction on, or read before it begins",
    );
    this.name = "SecondConnectionError";
  }
}

/**
 * Per database: the transaction that the running code is part of. Work it leaves behind may outlive
 * it.
 */
type Transactions = AsyncLocalStorage<{ open: boolean }>;

type ConnectCallback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

/**
 * Error codes of PostgreSQL and the system while it is starting, stopping or gone. No further query
 * is sent for this long, because each would cost PostgreSQL a process just when it recovers.
 */
const awayCodes = new Set(["57P03", "ECONNREFUSED", "ECONNRESET", "ENOENT", "EPIPE"]);
const awayMs = 100;

function isAway(error: unknown): error is Error {
  return error instanceof Error && "code" in error && awayCodes.has(String(error.code));
}

class GuardedPool extends pg.Pool {
  readonly #transactions: Transactions;
  readonly #waits = createWaitMeter();
  readonly #inUse = new Set<pg.PoolClient>();
  /** The schema of each connection's search path; absent while it is being changed. */
  readonly #schemas = new WeakMap<pg.PoolClient, string>();
  #away: { error: Error; untilMs: number } | null = null;

  /** Connections begin in `schema`; null: in none. */
  constructor(config: pg.PoolConfig, schema: string | null, transactions: Transactions) {
    super(config);
    this.#transactions = transactions;
    if (schema !== null) this.on("connect", (client) => this.#schemas.set(client, schema));
    this.on("acquire", (client) => this.#inUse.add(client));
    this.on("release", (_error, client) => this.#inUse.delete(client));
    this.on("remove", (client) => this.#inUse.delete(client));
  }

  cut(schema: string): void {
    for (const client of this.#inUse)
      if (this.#schemas.get(client) === schema) getStream(client).destroy();
  }

  /**
   * A connection whose search path is `schema` alone. Worlds share a pool in turn: the path is set
   * only when another one had the connection last, and before it is handed out.
   */
  async connectIn(schema: string): Promise<pg.PoolClient> {
    const client = await this.connect();
    if (this.#schemas.get(client) === schema) return client;
    this.#schemas.delete(client);
    try {
      await client.query(`set search_path to ${pg.escapeIdentifier(schema)}`);
    } catch (error) {
      // No caller may get a connection whose search path is unknown.
      client.release(true);
      throw error;
    }
    this.#schemas.set(client, schema);
    return client;
  }

  state(): PoolState {
    return {
      inUse: this.totalCount - this.idleCount,
      size: this.options.max,
      waiting: this.waitingCount,
      longestWaitMs: this.#waits.longestMs(),
    };
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | undefined {
    if (this.#transactions.getStore()?.open) {
      const error = new SecondConnectionError();
      if (!callback) return Promise.reject(error);
      callback(error, undefined, () => {});
      return undefined;
    }
    const endWait = this.#waits.begin();
    if (!callback) return this.#connectUnlessAway().finally(endWait);
    super.connect((error, client, release) => {
      endWait();
      callback(error, client, release);
    });
    return undefined;
  }

  async #connectUnlessAway(): Promise<pg.PoolClient> {
    if (this.#away && performance.now() < this.#away.untilMs) throw this.#away.error;
    try {
      const client = await super.connect();
      this.#away = null;
      return client;
    } catch (error) {
      if (isAway(error)) this.#away = { error, untilMs: performance.now() + awayMs };
      throw error;
    }
  }
}

// biome-ignore lint/suspicious/noExplicitAny: tables are typed where they are used
class GuardedKysely extends Kysely<any> {
  readonly #transactions: Transactions;

  constructor(config: KyselyConfig, transactions: Transactions) {
    super(config);
    this.#transactions = transactions;
  }

  override transaction() {
    return guardTransaction(super.transaction(), this.#transactions);
  }
}

/** Marks everything that runs inside the transaction. */
function guardTransaction<Tables>(
  builder: TransactionBuilder<Tables>,
  transactions: Transactions,
): TransactionBuilder<Tables> {
  const execute = builder.execute.bind(builder) as typeof builder.execute;
  const setIsolationLevel = builder.setIsolationLevel.bind(builder);
  const setAccessMode = builder.setAccessMode.bind(builder);
  builder.execute = (work) =>
    execute(async (tx) => {
      const state = { open: true };
      try {
        return await transactions.run(state, () => work(tx));
      } finally {
        state.open = false;
      }
    });
  builder.setIsolationLevel = (level) => guardTransaction(setIsolationLevel(level), transactions);
  builder.setAccessMode = (mode) => guardTransaction(setAccessMode(mode), transactions);
  return builder;
}

const getStream = (client: pg.ClientBase): Duplex =>
  (client as unknown as { connection: { stream: Duplex } }).connection.stream;

/**
 * A connection that is closed when the server leaves a query unanswered for longer than it would
 * itself allow. Not `query_timeout` of the driver, which gives up the query and keeps the
 * connection: the rest of its transaction would then run before its next user.
 */
export function clientWithin(limitMs: number): new (config: pg.ClientConfig) => pg.Client {
  return class extends pg.Client {
    // biome-ignore lint/suspicious/noExplicitAny: one of the driver's many signatures
    override query(...params: any[]): any {
      const stream = getStream(this);
      const timer = setTimeout(() => stream.destroy(), limitMs);
      const onAnswered = () => clearTimeout(timer);
      const callback: unknown = params.at(-1);
      if (typeof callback === "function") {
        params[params.length - 1] = (...answer: unknown[]) => {
          onAnswered();
          callback(...answer);
        };
      }
      const result = super.query(...(params as [string]));
      if (result instanceof Promise) result.then(onAnswered, onAnswered);
      return result;
    }
  };
}

interface PoolOptions {
  url: string;
  /** Null: the worlds that share the pool set it. */
  schema: string | null;
  max: number;
  limits?: SessionLimits;
}

function createPool(options: PoolOptions, transactions: Transactions): GuardedPool {
  const { max, url, schema, limits } = options;
  const settings = { ...(schema === null ? {} : { schema }), ...(limits && { limits }) };
  const config = { ...connectionConfig({ url, name: "drydock", ...settings }), max, types };
  if (limits) Object.assign(config, { Client: clientWithin(limits.statementMs + responseGraceMs) });
  const pool = new GuardedPool(config, schema, transactions);
  // A broken idle connection must not end the process; the next query reports it.
  pool.on("error", () => {});
  // Nor must one that breaks while checked out: its query rejects, and the client emits the error
  // too.
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

type Pools = Readonly<Record<Purpose, GuardedPool>>;

/** A world's view of its pools; `end` closes those that are its own. */
function getDatabase(
  schema: string,
  pools: Pools,
  transactions: Transactions,
  end: () => Promise<void>,
): Database {
  const pool = {
    options: pools.requests.options,
    connect: () => pools[getCurrentPurpose()].connectIn(schema),
    end,
  };
  const db: Db = new GuardedKysely({ dialect: new PostgresDialect({ pool }) }, transactions);
  return {
    db,
    pool: pools.requests,
    schema,
    refuseInTransaction: () => {
      if (transactions.getStore()?.open) throw new SecondConnectionError();
    },
    pools: () => ({
      requests: pools.requests.state(),
      feed: pools.feed.state(),
      jobs: pools.jobs.state(),
    }),
    cut: (purpose) => pools[purpose].cut(schema),
    close: () => db.destroy(),
  };
}

/**
 * Opens a single pool without timeouts, for commands and for tests: every connection works inside
 * `schema`. int8 and integer numerics arrive as bigint, and bigint parameters are sent as text.
 */
export function openDatabase(options: { url: string; schema: string; max?: number }): Database {
  const transactions: Transactions = new AsyncLocalStorage();
  const pool = createPool({ ...options, max: options.max ?? 16 }, transactions);
  const pools = { requests: pool, feed: pool, jobs: pool };
  return getDatabase(options.schema, pools, transactions, () => pool.end());
}

interface WorldPools {
  url: string;
  sizes?: Readonly<Record<Purpose, number>>;
  limits?: Readonly<Record<Purpose, SessionLimits>>;
}

function openPools(
  { url, sizes = poolSizes, limits = sessionLimits }: WorldPools,
  schema: string | null,
  transactions: Transactions,
) {
  const open = (purpose: Purpose) =>
    createPool({ url, schema, max: sizes[purpose], limits: limits[purpose] }, transactions);
  const pools = { requests: open("requests"), feed: open("feed"), jobs: open("jobs") };
  const end = async () =>
    void (await Promise.all(Object.values(pools).map((guardedPool) => guardedPool.end())));
  return { pools, end };
}

/** The same for a program that serves one world: one pool per purpose, each with its limits. */
export function openWorldDatabase(options: WorldPools & { schema: string }): Database {
  const transactions: Transactions = new AsyncLocalStorage();
  const { pools, end } = openPools(options, options.schema, transactions);
  return getDatabase(options.schema, pools, transactions, end);
}

/** The pools of a process, which all its worlds share: as many connections for sixty as for one. */
export interface SharedDatabase {
  /** Closing it leaves the pools open. */
  open(schema: string): Database;
  close(): Promise<void>;
}

export function openSharedDatabase(options: WorldPools): SharedDatabase {
  // One for all worlds: a transaction of one that waits for a connection of another can deadlock
  // just as well.
  const transactions: Transactions = new AsyncLocalStorage();
  const { pools, end } = openPools(options, null, transactions);
  return {
    open: (schema) => getDatabase(schema, pools, transactions, async () => {}),
    close: end,
  };
}

/**
 * Lifts the idle timeout for a transaction that holds nothing others wait for, so that it may
 * compute for minutes between two statements.
 */
export async function liftIdleTimeout(tx: Tx): Promise<void> {
  await sql`set local idle_in_transaction_session_timeout = '10min'`.execute(tx);
}

/**
 * The key of a PostgreSQL advisory lock. They are database-wide, so it includes the world's schema.
 */
export function lockKey(schema: string, name: string): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(`${schema}/${name}`)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return BigInt.asIntN(64, hash);
}
