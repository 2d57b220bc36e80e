import { sql } from "kysely";
import type { AppContext } from "#server/platform/context.ts";
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
  const late = Promise.withResolvers<ComponentHealth>();
  const timer = setTimeout(
    () => late.resolve({ ok: false, lag_ms: null, note: "no answer within 2 s" }),
    2000,
  );
  try {
    return await Promise.race([check(), late.promise]);
  } catch {
    return { ok: false, lag_ms: null, note: "failed" };
  } finally {
    clearTimeout(timer);
  }
}

export function databaseCheck({ database }: Pick<AppContext, "database">): HealthCheck {
  return async () => {
    const started = performance.now();
    await sql`select 1`.execute(database.db);
    return { ok: true, lag_ms: Math.round(performance.now() - started), note: "answers" };
  };
}
