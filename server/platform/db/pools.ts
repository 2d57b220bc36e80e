import { AsyncLocalStorage } from "node:async_hooks";

/**
 * The purpose of a connection. Each purpose has its own pool, so that a flood of requests cannot
 * keep the feed from closing seconds, and a long job blocks neither.
 */
export type Purpose = "requests" | "feed" | "jobs";

/**
 * Connections of a process by purpose. On top of these it has one for its locks, one for its clock
 * and, on an external database, one for the bus.
 */
export const poolSizes: Readonly<Record<Purpose, number>> = { requests: 12, feed: 4, jobs: 6 };

/** Session limits of a pool, in milliseconds. */
export interface SessionLimits {
  /** Timeout to open a connection, or to get a free one from the pool. */
  connectMs: number;
  statementMs: number;
  lockMs: number;
  idleInTransactionMs: number;
}

/**
 * PostgreSQL ends a lock wait with 55P03, a statement with 57014, and an idle transaction by
 * closing its connection, which releases its locks. Requests must answer within ten seconds; the
 * feed has ten seconds to close a second; jobs read whole tables and wait for each other.
 */
export const sessionLimits: Readonly<Record<Purpose, SessionLimits>> = {
  requests: { connectMs: 5_000, statementMs: 10_000, lockMs: 5_000, idleInTransactionMs: 10_000 },
  feed: { connectMs: 5_000, statementMs: 30_000, lockMs: 10_000, idleInTransactionMs: 10_000 },
  jobs: { connectMs: 30_000, statementMs: 600_000, lockMs: 30_000, idleInTransactionMs: 60_000 },
};

/**
 * How long after its limit a statement may stay unanswered until its connection is given up: a
 * server that is stopped, or whose network is gone, ends no statement itself.
 */
export const responseGraceMs = 2_000;

/** Timeout for opening a connection that has no other limit. */
const connectMs = 5_000;

/**
 * How long a short statement of such a connection, which waits for no lock, may stay unanswered
 * before the connection is given up. Keepalives do not see a peer that vanished while an answer was
 * due.
 */
export const answerMs = 10_000;

/**
 * The server gives up a peer that vanished silently after seven seconds, which releases its locks:
 * the process that takes over then still closes every second, none of which may be older than ten
 * seconds (server/market/feed.ts). Unix sockets ignore these settings.
 */
const keepalive = {
  tcp_keepalives_idle: 2,
  tcp_keepalives_interval: 1,
  tcp_keepalives_count: 5,
  tcp_user_timeout: 7_000,
};

/** From here on Node probes every second, ten times. */
const clientKeepaliveMs = 1_000;

/** Connection settings of the running program. */
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

/** Runs `work` on connections from the pool of `purpose`. */
export function withPurpose<Result>(purpose: Purpose, work: () => Result): Result {
  return purposes.run(purpose, work);
}

/** Requests, unless `withPurpose` says otherwise. */
export function getCurrentPurpose(): Purpose {
  return purposes.getStore() ?? "requests";
}
