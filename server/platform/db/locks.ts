import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { lockKey } from "#server/platform/db/database.ts";
import { connectionConfig } from "#server/platform/db/pools.ts";
import type { Logger } from "#server/platform/logger.ts";

/** The advisory locks of a process, all held by one connection that no pool knows of. */
export interface Locks {
  /**
   * Runs `work` while the lock `name` is held and resolves to true; to false at once when somebody
   * has it. When the connection breaks all locks are lost with it: the signal of every `work`
   * aborts, and a new connection is made when it is next needed.
   */
  hold(name: string, work: (lost: AbortSignal) => Promise<void>): Promise<boolean>;
  /** Call it when nothing is held any more. */
  close(): Promise<void>;
}

/** A connection and what is lost with it. */
interface Session {
  client: pg.Client;
  lost: AbortController;
}

/**
 * Real time before a connection is tried again: doubled with each failure, and never so long that a
 * standby would be kept waiting.
 */
const retryMinMs = 50;
const retryMaxMs = 500;

/** After `stopping` no connection is made any more: whoever still waits for one is refused. */
export function createLocks(options: {
  url: string;
  schema: string;
  logger: Logger;
  stopping: AbortSignal;
}): Locks {
  const { url, schema, logger, stopping } = options;
  const held = new Set<string>();
  let session: Promise<Session> | null = null;
  // A connection runs one query at a time.
  let last: Promise<unknown> = Promise.resolve();

  const open = async (): Promise<Session> => {
    for (let retryMs = retryMinMs; ; retryMs = Math.min(retryMaxMs, retryMs * 2)) {
      try {
        stopping.throwIfAborted();
        return await connect();
      } catch (error) {
        if (stopping.aborted) {
          session = null;
          throw error;
        }
        logger.error({ err: error }, "the connection that holds the locks could not be made");
        await sleep(retryMs, undefined, { signal: stopping }).catch(() => {});
      }
    }
  };

  const connect = async (): Promise<Session> => {
    const client = new pg.Client(connectionConfig({ url, name: "drydock-locks" }));
    client.on("error", () => {}); // its end is what counts
    await client.connect();
    const lost = new AbortController();
    const onLost = () => {
      if (lost.signal.aborted) return;
      session = null;
      lost.abort(new Error("the connection that holds the locks broke"));
    };
    client.on("error", onLost);
    client.on("end", onLost);
    return { client, lost };
  };

  const ask = <Row extends pg.QueryResultRow>(
    { client }: Session,
    text: string,
    name: string,
  ): Promise<Row | undefined> => {
    const key = String(lockKey(schema, name));
    const asked = last.then(async () => (await client.query<Row>(text, [key])).rows[0]);
    last = asked.catch(() => {});
    return asked;
  };

  return {
    hold: async (name, work) => {
      // The same session would be given its own lock once more.
      if (held.has(name)) return false;
      held.add(name);
      try {
        session ??= open();
        const mine = await session;
        const { signal } = mine.lost;
        const row = await ask<{ held: boolean }>(
          mine,
          "select pg_try_advisory_lock($1) as held",
          name,
        );
        if (row?.held !== true) return false;
        try {
          await work(signal);
        } finally {
          if (!signal.aborted)
            await ask(mine, "select pg_advisory_unlock($1)", name).catch(() => {
              // Not known to be given back: only the end of the session gives it back for sure.
              void mine.client.end().catch(() => {});
            });
        }
        return true;
      } finally {
        held.delete(name);
      }
    },
    close: async () => {
      const mine = await session?.catch(() => null);
      await mine?.client.end();
    },
  };
}
