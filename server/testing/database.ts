import { randomBytes } from "node:crypto";
import { inject } from "vitest";
import { type Database, openDatabase, openWorldDatabase } from "#server/platform/db/database.ts";
import { type Migration, migrate } from "#server/platform/db/migrate.ts";
import { appRole } from "#server/postgres/embedded.ts";
import "#server/testing/postgres.ts";

export interface TestDatabase {
  /** As the restricted role, like the running server. */
  database: Database;
  /** As the role that owns the schema. */
  owner: Database;
  schema: string;
  destroy(): Promise<void>;
}

/**
 * A fresh schema with all migrations applied, on the run's PostgreSQL. Call `destroy` in
 * `afterAll`. Each pool has `max` connections; the default is TEST_POOL_MAX or ten.
 */
export async function createTestDatabase(
  options: { migrations?: Migration[]; max?: number } = {},
): Promise<TestDatabase> {
  const { ownerUrl, appUrl } = inject("postgres");
  const schema = `test_${randomBytes(6).toString("hex")}`;
  await migrate({
    ownerUrl,
    schema,
    appRole,
    ...(options.migrations ? { migrations: options.migrations } : {}),
  });
  const max = options.max ?? (Number(process.env.TEST_POOL_MAX) || 10);
  const sizes = { requests: max, feed: max, jobs: max };
  const database = openWorldDatabase({ url: appUrl, schema, sizes });
  const owner = openDatabase({ url: ownerUrl, schema, max: 2 });
  return {
    database,
    owner,
    schema,
    destroy: async () => {
      await database.close();
      await owner.pool.query(`drop schema if exists ${schema} cascade`);
      await owner.close();
    },
  };
}
