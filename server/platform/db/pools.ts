import { AsyncLocalStorage } from "node:async_hooks";

/**
 * What a connection is for. Each has a pool of its own, so that a flood of requests cannot keep the
 * feed from closing its seconds, and a long job keeps neither from working.
 */
export type Purpose = "requests" | "feed" | "jobs";

/**
 * Connections of a process by purpose. Beside them it has one for its locks and, on one's own
 * database, one of the bus.
 */
export const poolSizes: Readonly<Record<Purpose, number>> = { requests: 12, feed: 4, jobs: 6 };

/** Limits for the sessions of a pool, in milliseconds. */
export interface SessionLimits {
  /** Until a connection is made, or one of the pool is free. */
  connectMs: number;
  statementMs: number;
  lockMs: number;
  idleInTransactionMs: number;
}

/**
 * PostgreSQL ends a wait for a lock with 55P03, a statement with 57014, and the connection of a
 * transaction that sits idle, which frees what it locked. Requests must answer; the feed has ten
 * seconds to close a second; jobs read whole tables, and wait for each other.
 */
export const sessionLimits: Readonly<Record<Purpose, SessionLimits>> = {
  requests: { connectMs: 5_000, statementMs: 15_000, lockMs: 5_000, idleInTransactionMs: 10_000 },
  feed: { connectMs: 5_000, statementMs: 30_000, lockMs: 10_000, idleInTransactionMs: 10_000 },
  jobs: { connectMs: 30_000, statementMs: 600_000, lockMs: 30_000, idleInTransactionMs: 60_000 },
};

/** The same for a connection without limits of its own. */
const connectMs = 5_000;

/**
 * A peer that vanished without a word is noticed by the server after about ten seconds, which frees
 * what it had locked, and by the client about as soon. Sockets of the same machine take no notice
 * of these.
 */
const keepalive = {
  tcp_keepalives_idle: 5,
  tcp_keepalives_interval: 2,
  tcp_keepalives_count: 3,
  tcp_user_timeout: 10_000,
};

/** Node asks every second from here on, ten times. */
const clientKeepaliveMs = 1_000;

/** How every connection of the running program is made. */
export function connectionConfig(options: {
  url: string;
  name: string;
  schema?: string;
  limits?: SessionLimits;
}) {
  const { url, name, schema, limits } = options;
  const settings: Record<string, string | number> = {
    ...keepalive,
    ...(schema === undefined ? {} : { search_path: schema }),
    ...(limits && {
      statement_timeout: limits.statementMs,
      lock_timeout: limits.lockMs,
      idle_in_transaction_session_timeout: limits.idleInTransactionMs,
    }),
  };
  return {
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: limits?.connectMs ?? connectMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: clientKeepaliveMs,
    options: Object.entries(settings)
      .map(([key, value]) => `-c ${key}=${value}`)
      .join(" "),
  };
}

const purposes = new AsyncLocalStorage<Purpose>();

/** Runs work whose connections come from the pool of `purpose`. */
export function withPurpose<Result>(purpose: Purpose, work: () => Result): Result {
  return purposes.run(purpose, work);
}

/** Requests, unless `withPurpose` says otherwise. */
export function currentPurpose(): Purpose {
  return purposes.getStore() ?? "requests";
}
