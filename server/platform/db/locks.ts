import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { clientWithin, lockKey } from "#server/platform/db/database.ts";
import { answerMs, connectionConfig } from "#server/platform/db/pools.ts";
import { getErrorKind } from "#server/platform/errorKind.ts";
import type { Logger } from "#server/platform/logger.ts";

/** The connection that holds the locks. */
export interface LocksState {
  isConnected: boolean;
  /** How long the connection has been lost, in real milliseconds; 0 while it is open. */
  lostMs: number;
  /** Name and code of its last error since the start; null if there was none. */
  lastError: string | null;
}

/** The advisory locks of a world in this process. */
export interface Locks {
  /**
   * Runs `work` while holding the lock `name` and resolves to true; resolves to false immediately
   * if the lock is taken. If the connection breaks, all locks are lost with it: the signal of every
   * `work` aborts, and a new connection is made when next needed.
   */
  hold(name: string, work: (lost: AbortSignal) => Promise<void>): Promise<boolean>;
  state(): LocksState;
  /** Call only when nothing is held any more. */
  close(): Promise<void>;
}

/** The one connection of a process, outside every pool, that holds the locks of all its worlds. */
export interface LockConnection {
  /**
   * The locks of a world. A caller that still waits for the connection after `stopping` is refused.
   */
  forSchema(schema: string, stopping: AbortSignal): Locks;
  /** Call only when nothing is held any more. */
  close(): Promise<void>;
}

/** A connection, and the signal that aborts when it is lost. */
interface Session {
  client: pg.Client;
  lost: AbortController;
  /** Ends the connection; further calls wait for the same end, because pg adds a listener at each. */
  end: () => Promise<void>;
}

/**
 * Real-time delay before reconnecting: doubles with each failure, capped so that a standby never
 * waits too long.
 */
const retryMinMs = 50;
const retryMaxMs = 500;

const LimitedClient = clientWithin(answerMs);

/** The locks of a process that has one world. */
export function createLocks(options: {
  url: string;
  schema: string;
  logger: Logger;
  stopping: AbortSignal;
}): Locks {
  const connection = openLockConnection(options);
  return {
    ...connection.forSchema(options.schema, options.stopping),
    close: () => connection.close(),
  };
}

/** No connection is made after `stopping`: anyone still waiting for one is refused. */
export function openLockConnection(options: {
  url: string;
  logger: Logger;
  stopping: AbortSignal;
}): LockConnection {
  const { url, logger, stopping } = options;
  const heldNames = new Set<string>();
  let session: Promise<Session> | null = null;
  // A connection runs one query at a time.
  let last: Promise<unknown> = Promise.resolve();
  let lostAtMs: number | null = null;
  let lastError: string | null = null;
  const noteError = (error: unknown) => {
    lostAtMs ??= performance.now();
    lastError = getErrorKind(error);
  };

  const open = async (): Promise<Session> => {
    for (let retryMs = retryMinMs; ; retryMs = Math.min(retryMaxMs, retryMs * 2)) {
      try {
        stopping.throwIfAborted();
        const session = await connect();
        lostAtMs = null;
        return session;
      } catch (error) {
        if (stopping.aborted) {
          session = null;
          throw error;
        }
        noteError(error);
        logger.error({ err: error }, "could not open the connection that holds the locks");
        await sleep(retryMs, undefined, { signal: stopping }).catch(() => {});
      }
    }
  };

  const connect = async (): Promise<Session> => {
    const client = new LimitedClient(connectionConfig({ url, name: "drydock-locks" }));
    client.on("error", () => {}); // only its end matters
    await client.connect();
    const lost = new AbortController();
    const onLost = (error?: Error) => {
      if (lost.signal.aborted) return;
      noteError(error ?? new Error("the connection ended"));
      session = null;
      lost.abort(new Error("the connection that holds the locks broke"));
    };
    client.on("error", onLost);
    client.on("end", onLost);
    let ending: Promise<void> | null = null;
    return { client, lost, end: () => (ending ??= client.end()) };
  };

  const query = <Row extends pg.QueryResultRow>(
    { client }: Session,
    text: string,
    key: string,
  ): Promise<Row | undefined> => {
    const answer = last.then(async () => (await client.query<Row>(text, [key])).rows[0]);
    last = answer.catch(() => {});
    return answer;
  };

  const hold = async (
    key: string,
    worldStops: AbortSignal,
    work: (lost: AbortSignal) => Promise<void>,
  ): Promise<boolean> => {
    // PostgreSQL would grant the same session its own lock again.
    if (heldNames.has(key)) return false;
    heldNames.add(key);
    try {
      session ??= open();
      const ownSession = await unlessAborted(session, worldStops);
      const { signal } = ownSession.lost;
      const row = await query<{ held: boolean }>(
        ownSession,
        "select pg_try_advisory_lock($1) as held",
        key,
      );
      if (row?.held !== true) return false;
      try {
        await work(signal);
      } finally {
        if (!signal.aborted)
          await query(ownSession, "select pg_advisory_unlock($1)", key).catch(() => {
            // The unlock may not have happened: only ending the session releases the lock for
            // certain.
            void ownSession.end().catch(() => {});
          });
      }
      return true;
    } finally {
      heldNames.delete(key);
    }
  };

  const close = async () => {
    const ownSession = await session?.catch(() => null);
    await ownSession?.end();
  };
  return {
    forSchema: (schema, worldStops) => ({
      hold: (name, work) => hold(String(lockKey(schema, name)), worldStops, work),
      state: () => ({
        isConnected: lostAtMs === null,
        lostMs: lostAtMs === null ? 0 : Math.round(performance.now() - lostAtMs),
        lastError,
      }),
      close: async () => {},
    }),
    close,
  };
}

/** Resolves as `pending` does, or rejects as soon as `signal` aborts. */
async function unlessAborted<Value>(pending: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const aborted = Promise.withResolvers<never>();
  aborted.promise.catch(() => {});
  const onAbort = () => aborted.reject(signal.reason);
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([pending, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
