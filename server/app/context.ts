import type { Connections, LinkBus } from "#server/app/connections.ts";
import { listLiveMarket } from "#server/market/live/openLive.ts";
import type { Recording } from "#server/market/replay/recording.ts";
import {
  createDrivenClock,
  createRunningClock,
  type RealClock,
} from "#server/platform/clock/clock.ts";
import { listenForClock } from "#server/platform/clock/drivenClock.ts";
import { followPauses } from "#server/platform/clock/pauses.ts";
import type { Config } from "#server/platform/config/config.ts";
import type { AppContext } from "#server/platform/context.ts";
import { createFieldEncryption } from "#server/platform/crypto/fieldEncryption.ts";
import { createJobs } from "#server/platform/jobs.ts";
import type { Logger } from "#server/platform/logger.ts";
import { createSecurityLog, repeatMs, type SecurityLog } from "#server/platform/securityLog.ts";
import type { StoppablePart } from "#server/platform/stopAll.ts";
import { openWorld, schemaName } from "#server/platform/world.ts";

interface OpenContext {
  ctx: AppContext;
  linkBus: LinkBus;
  drivenSocket: StoppablePart | null;
}

/**
 * Opens the context that every domain of a world receives, on an existing, migrated schema. Pushes
 * everything that must be closed to `stops`; `drivenSocket` closes the socket through which tests
 * move the clock, null with a running clock.
 */
export async function openContext(
  config: Config,
  connections: Connections,
  stops: StoppablePart[],
  recording: Recording | null,
): Promise<OpenContext> {
  const { urls, realClock, logger, locks, messages, networkLimits } = connections;
  const schema = schemaName(config.world);
  const { world, anchor } = await openWorld(
    urls.owner,
    config,
    realClock,
    schema,
    recording,
    undefined,
    () => listLiveMarket(config),
  );
  const database = connections.database.open(schema);
  stops.push({ what: "the world's view of the database", stop: () => database.close() });
  const worldBus = await connections.openBus(schema);
  const { bus, linkBus } = worldBus;
  stops.push({ what: "the world's bus", stop: () => worldBus.close() });
  const jobs = createJobs({ database, url: urls.app, lockConnection: locks, logger });
  const fieldEncryption = createFieldEncryption({ config, bus, realClock });
  const securityLog = openSecurityLog(logger, realClock, stops);
  const keys = { fieldEncryption, messages, logger, securityLog, networkLimits };
  const clocks = { realClock, clockHealth: realClock.health };
  const rest = { config, world, database, ...clocks, bus, jobs, ...keys };
  const driven =
    config.worldClock === "driven" ? createDrivenClock(world.startMs, anchor.endMs) : null;
  const clock = driven ?? createRunningClock(anchor, realClock);
  const isShared = config.databaseUrl !== null;
  const stop = await followPauses(clock, { database, bus, logger, isShared });
  stops.push({ what: "following the clock's pauses", stop });
  const socket = driven && (await listenForClock(driven, config));
  const drivenSocket = socket && { what: "the driven clock", stop: () => socket.close() };
  return { ctx: { ...rest, clock }, linkBus, drivenSocket };
}

/** The longest delay before a count of repeated events is written. */
const dueEveryMs = repeatMs / 6;

/** Writes its counts at the end of each minute, and when stopped. */
function openSecurityLog(
  logger: Logger,
  realClock: RealClock,
  stops: StoppablePart[],
): SecurityLog {
  const securityLog = createSecurityLog(logger, realClock);
  const timer = setInterval(() => securityLog.writeDue(), dueEveryMs);
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
