import type { Config } from "#server/platform/config/config.ts";
import { tryLockDataDirectory } from "#server/platform/config/dataDirectory.ts";
import { runningPostgresUrl, startEmbeddedPostgres } from "#server/postgres/embedded.ts";

/**
 * Opens the database of an instance as the restricted role: that of the running instance, or the
 * embedded one, started until `stop`.
 */
export async function reachDatabase(
  config: Config,
): Promise<{ url: string; stop: () => Promise<void> }> {
  if (config.databaseUrl) return { url: config.databaseUrl, stop: async () => {} };
  const lock = tryLockDataDirectory(config.dataDirectory);
  if (!lock) return { url: runningPostgresUrl(config.dataDirectory), stop: async () => {} };
  const postgres = await startEmbeddedPostgres({ dataDirectory: config.dataDirectory });
  const stop = async () => {
    await postgres.stop();
    lock.release();
  };
  return { url: postgres.appUrl, stop };
}
