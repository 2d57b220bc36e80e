import { sql } from "kysely";
import type { AppContext } from "#server/platform/context.ts";
import { readAcceptLock } from "#server/platform/db/acceptLock.ts";
import type { Purpose } from "#server/platform/db/pools.ts";
import type { ComponentHealth, HealthCheck } from "#server/platform/health.ts";

export interface Health {
  ready: boolean;
  version: string;
  parts: Record<string, ComponentHealth>;
}

/** Ready when every part is. Each check has two seconds. */
export async function readHealth(
  version: string,
  checks: Readonly<Record<string, HealthCheck>>,
): Promise<Health> {
  const entries = await Promise.all(
    Object.entries(checks).map(
      async ([name, check]) => [name, await withinTwoSeconds(check)] as const,
    ),
  );
  const parts = Object.fromEntries(entries);
  return { ready: entries.every(([, { ok }]) => ok), version, parts };
}

async function withinTwoSeconds(check: HealthCheck): Promise<ComponentHealth> {
  const timeout = Promise.withResolvers<ComponentHealth>();
  const timer = setTimeout(
    () => timeout.resolve({ ok: false, lag_ms: null, note: "no answer within 2 s" }),
    2000,
  );
  try {
    return await Promise.race([check(), timeout.promise]);
  } catch {
    return { ok: false, lag_ms: null, note: "failed" };
  } finally {
    clearTimeout(timer);
  }
}

export function createDatabaseCheck({ database }: Pick<AppContext, "database">): HealthCheck {
  return async () => {
    const startedMs = performance.now();
    await sql`select 1`.execute(database.db);
    return { ok: true, lag_ms: Math.round(performance.now() - startedMs), note: "answers" };
  };
}

/** A process without its lock connection for longer than this counts as not ready. */
const lockConnectionMs = 10_000;

/**
 * Checks of this process's waits. Pools and the accept lock never make it unready: a caller that
 * waits too long is refused by name, and the components that fall behind report it themselves.
 */
export function createWaitChecks({
  database,
  jobs,
}: Pick<AppContext, "database" | "jobs">): Record<string, HealthCheck> {
  const pool = (purpose: Purpose): HealthCheck => {
    return async () => {
      const { inUse, size, waiting, longestWaitMs } = database.pools()[purpose];
      const note = `${inUse} of ${size} in use, ${waiting} waiting`;
      return { ok: true, lag_ms: longestWaitMs, note, in_use: inUse, size, waiting };
    };
  };
  return {
    "pool.requests": pool("requests"),
    "pool.feed": pool("feed"),
    "pool.jobs": pool("jobs"),
    accept_lock: async () => {
      const { held, waiting, longestWaitMs } = await readAcceptLock(database.db, database.schema);
      const note = `${held === null ? "free" : `held ${held}`}, ${waiting} waiting`;
      return { ok: true, lag_ms: longestWaitMs, note, waiting };
    },
    locks: async () => {
      const state = jobs.locks();
      if (state === null) return { ok: true, lag_ms: null, note: "not needed here" };
      const { isConnected, lostMs, lastError } = state;
      const last = lastError === null ? "" : `; last error: ${lastError}`;
      return {
        ok: lostMs < lockConnectionMs,
        lag_ms: lostMs,
        note: `${isConnected ? "connected" : "lost"}${last}`,
      };
    },
  };
}
