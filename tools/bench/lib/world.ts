import { createLocalBus } from "#server/platform/bus/bus.ts";
import { createDrivenClock, realClock } from "#server/platform/clock/clock.ts";
import { readConfig } from "#server/platform/config/config.ts";
import { createFieldEncryption } from "#server/platform/crypto/fieldEncryption.ts";
import { openDatabase } from "#server/platform/db/database.ts";
import { migrate } from "#server/platform/db/migrate.ts";
import { createMessages } from "#server/platform/http/language.ts";
import { createJobs } from "#server/platform/jobs.ts";
import { createLogger } from "#server/platform/logger.ts";
import { createSecurityLog } from "#server/platform/securityLog.ts";
import { openWorld, schemaName } from "#server/platform/world.ts";
import { appRole, startEmbeddedPostgres } from "#server/postgres/embedded.ts";
import { createDataDirectory } from "./conditions.ts";

/**
 * The parts of a world in this process, on a new embedded PostgreSQL with fsync on. Only the bench
 * moves its clock, and no background loop runs.
 */
export async function openBenchWorld() {
  const data = createDataDirectory();
  const postgres = await startEmbeddedPostgres({ dataDirectory: data.directory });
  const config = readConfig({
    WORLD: "test-bench",
    WORLD_CLOCK: "driven",
    DRYDOCK_DATA: data.directory,
    LOG_LEVEL: "warn",
  });
  const schema = schemaName(config.world);
  await migrate({ ownerUrl: postgres.ownerUrl, schema, appRole });
  const { world } = await openWorld(postgres.ownerUrl, config, realClock);
  const database = openDatabase({ url: postgres.appUrl, schema, max: 8 });
  const owner = openDatabase({ url: postgres.ownerUrl, schema, max: 2 });
  const logger = createLogger(config.logLevel);
  const bus = createLocalBus((error) => logger.error({ err: error }, "a listener failed"));
  const ctx = {
    config,
    world,
    database,
    realClock,
    clockHealth: async () => ({ ok: true, lag_ms: null, note: "this machine's" }),
    clock: createDrivenClock(world.startMs),
    bus,
    fieldEncryption: createFieldEncryption({ config, bus, realClock }),
    jobs: createJobs({ database, url: postgres.appUrl, logger }),
    messages: createMessages(),
    securityLog: createSecurityLog(logger, realClock),
    logger,
  };
  const close = async () => {
    await database.close();
    await owner.close();
    await postgres.stop();
    data.remove();
  };
  return { ctx, owner, appUrl: postgres.appUrl, close };
}
export type BenchWorld = Awaited<ReturnType<typeof openBenchWorld>>;
