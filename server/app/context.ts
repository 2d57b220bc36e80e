import type { Recording } from "#server/market/replay/recording.ts";
import { type Bus, createLocalBus } from "#server/platform/bus/bus.ts";
import { createSharedBus, type Outage } from "#server/platform/bus/sharedBus.ts";
import { createDrivenClock, createRunningClock, realClock } from "#server/platform/clock.ts";
import type { Config } from "#server/platform/config/config.ts";
import type { AppContext } from "#server/platform/context.ts";
import { createFieldEncryption } from "#server/platform/crypto/fieldEncryption.ts";
import { openWorldDatabase } from "#server/platform/db/database.ts";
import { listenForClock } from "#server/platform/drivenClock.ts";
import { createMessages } from "#server/platform/http/language.ts";
import { createJobs } from "#server/platform/jobs.ts";
import { createLogger, type Logger } from "#server/platform/logger.ts";
import { createSecurityLog, repeatMs, type SecurityLog } from "#server/platform/securityLog.ts";
import type { StoppablePart } from "#server/platform/stopAll.ts";
import { openWorld, schemaOf } from "#server/platform/world.ts";

/**
 * Opens the context that every domain is given, on an existing, migrated database. Pushes whatever
 * must be closed again to `stops`; `drivenSocket` closes the socket through which tests move the
 * clock, null with a running clock.
 */
export async function openContext(
  config: Config,
  urls: { owner: string; app: string },
  stops: StoppablePart[],
  recording: Recording | null,
): Promise<{ ctx: AppContext; drivenSocket: StoppablePart | null }> {
  const logger = createLogger(config.logLevel);
  const { world, anchor } = await openWorld(
    urls.owner,
    config,
    realClock,
    schemaOf(config.world),
    recording,
  );
  const database = openWorldDatabase({ url: urls.app, schema: world.schema });
  stops.push({ what: "the database connections", stop: () => database.close() });
  const bus = await openBus(config, urls.app, schemaOf(config.world), logger, stops);
  const jobs = createJobs({ database, url: urls.app, logger });
  const fieldEncryption = createFieldEncryption({ config, bus, realClock });
  const messages = createMessages();
  const securityLog = openSecurityLog(logger, stops);
  const keys = { fieldEncryption, messages, logger, securityLog };
  const rest = { config, world, database, realClock, bus, jobs, ...keys };
  if (config.worldClock === "running") {
    return { ctx: { ...rest, clock: createRunningClock(anchor, realClock) }, drivenSocket: null };
  }
  const clock = createDrivenClock(world.startMs, anchor.endMs);
  const socket = await listenForClock(clock, config);
  return {
    ctx: { ...rest, clock },
    drivenSocket: { what: "the clock", stop: () => socket.close() },
  };
}

/** Writes what it counted every minute, and at the end. */
function openSecurityLog(logger: Logger, stops: StoppablePart[]): SecurityLog {
  const securityLog = createSecurityLog(logger, realClock);
  const timer = setInterval(() => securityLog.flush(), repeatMs);
  timer.unref();
  stops.push({
    what: "the security log",
    stop: () => {
      clearInterval(timer);
      securityLog.flush();
    },
  });
  return securityLog;
}

/**
 * Opens a local bus for the embedded database, which serves one process; an external database may
 * serve several, which need a shared bus.
 */
async function openBus(
  config: Config,
  url: string,
  schema: string,
  logger: Logger,
  stops: StoppablePart[],
): Promise<Bus> {
  const onError = (error: unknown) =>
    logger.error(
      { err: error },
      "the bus or one of its listeners failed; a lost connection is reported once",
    );
  if (config.databaseUrl === null) return createLocalBus(onError);
  const onReconnect = (outage: Outage) =>
    logger.warn(outage, "the bus is connected again; everything is read anew");
  const shared = await createSharedBus({ url, schema, onError, onReconnect });
  stops.push({ what: "the bus", stop: () => shared.close() });
  return shared;
}
