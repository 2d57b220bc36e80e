import { AsyncLocalStorage } from "node:async_hooks";
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
  currentPurpose,
  type Purpose,
  poolSizes,
  type SessionLimits,
  sessionLimits,
} from "#server/platform/db/pools.ts";

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

export interface Database {
  /** Connections come from the pool of the current purpose; inside a transaction it refuses. */
  readonly db: Db;
  /** The pool of requests, for commands and tests. */
  readonly pool: pg.Pool;
  /** The world's schema, the only one on the search path. */
  readonly schema: string;
  /**
   * Throws a SecondConnectionError inside a transaction. For reads that usually need no connection
   * because the answer is cached: without this check they would fail only intermittently.
   */
  refuseInTransaction(): void;
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

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

class GuardedPool extends pg.Pool {
  readonly #transactions: Transactions;

  constructor(config: pg.PoolConfig, transactions: Transactions) {
    super(config);
    this.#transactions = transactions;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | undefined {
    if (this.#transactions.getStore()?.open) {
      const error = new SecondConnectionError();
      if (!callback) return Promise.reject(error);
      callback(error, undefined, () => {});
    } else if (callback) super.connect(callback);
    else return super.connect();
    return undefined;
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
    return guarded(super.transaction(), this.#transactions);
  }
}

/** Marks everything that runs inside the transaction, whatever it calls. */
function guarded<Tables>(
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
  builder.setIsolationLevel = (level) => guarded(setIsolationLevel(level), transactions);
  builder.setAccessMode = (mode) => guarded(setAccessMode(mode), transactions);
  return builder;
}

interface PoolOptions {
  url: string;
  schema: string;
  max: number;
  limits?: SessionLimits;
}

function createPool({ max, ...connection }: PoolOptions, transactions: Transactions): pg.Pool {
  const config = { ...connectionConfig({ ...connection, name: "drydock" }), max, types };
  const pool = new GuardedPool(config, transactions);
  // A broken idle connection must not end the process; the next query reports it.
  pool.on("error", () => {});
  // Nor must one that breaks while checked out: its query rejects, and the client emits the error
  // too.
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

function databaseOf(
  schema: string,
  pools: Readonly<Record<Purpose, pg.Pool>>,
  transactions: Transactions,
): Database {
  const all = [...new Set(Object.values(pools))];
  const pool = {
    options: pools.requests.options,
    connect: () => pools[currentPurpose()].connect(),
    end: async () => void (await Promise.all(all.map((one) => one.end()))),
  };
  const db: Db = new GuardedKysely({ dialect: new PostgresDialect({ pool }) }, transactions);
  return {
    db,
    pool: pools.requests,
    schema,
    refuseInTransaction: () => {
      if (transactions.getStore()?.open) throw new SecondConnectionError();
    },
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
  return databaseOf(options.schema, { requests: pool, feed: pool, jobs: pool }, transactions);
}

/** The same for the running program: one pool per purpose, each with its limits. */
export function openWorldDatabase(options: {
  url: string;
  schema: string;
  sizes?: Readonly<Record<Purpose, number>>;
}): Database {
  const { url, schema, sizes = poolSizes } = options;
  const transactions: Transactions = new AsyncLocalStorage();
  const open = (purpose: Purpose) => {
    const limits = sessionLimits[purpose];
    return createPool({ url, schema, max: sizes[purpose], limits }, transactions);
  };
  const pools = { requests: open("requests"), feed: open("feed"), jobs: open("jobs") };
  return databaseOf(schema, pools, transactions);
}

/**
 * Lifts the idle timeout for a transaction that holds nothing others wait for, so that it may
 * compute for minutes between two statements.
 */
export async function allowThinking(tx: Tx): Promise<void> {
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
