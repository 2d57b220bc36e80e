import { listLiveMarket } from "#server/market/live/openLive.ts";
import type { Recording } from "#server/market/replay/recording.ts";
import type { Bus, Outage } from "#server/platform/bus/bus.ts";
import { type Channel, createLinkedBus } from "#server/platform/bus/linkedBus.ts";
import { createSharedBus } from "#server/platform/bus/sharedBus.ts";
import {
  createDrivenClock,
  createRunningClock,
  type RealClock,
} from "#server/platform/clock/clock.ts";
import { startDatabaseClock } from "#server/platform/clock/databaseClock.ts";
import { listenForClock } from "#server/platform/clock/drivenClock.ts";
import type { Config } from "#server/platform/config/config.ts";
import type { AppContext } from "#server/platform/context.ts";
import { createFieldEncryption } from "#server/platform/crypto/fieldEncryption.ts";
import { openWorldDatabase } from "#server/platform/db/database.ts";
import { createMessages } from "#server/platform/http/language.ts";
import { createJobs } from "#server/platform/jobs.ts";
import { createLogger, type Logger } from "#server/platform/logger.ts";
import { createSecurityLog, repeatMs, type SecurityLog } from "#server/platform/securityLog.ts";
import type { StoppablePart } from "#server/platform/stopAll.ts";
import { openWorld, schemaOf } from "#server/platform/world.ts";

/** Connects the bus to that of another process of this program; returns how to disconnect it. */
type LinkBus = (channel: Channel) => () => void;

interface OpenContext {
  ctx: AppContext;
  linkBus: LinkBus;
  /** For a process that this one starts. */
  clockOffsetMs: () => number;
  drivenSocket: StoppablePart | null;
}

/**
 * Opens the context that every domain is given, on an existing, migrated database. Pushes whatever
 * must be closed again to `stops`; `drivenSocket` closes the socket through which tests move the
 * clock, null with a running clock. `givenOffsetMs` is that of the process that started this one.
 */
export async function openContext(
  config: Config,
  urls: { owner: string; app: string },
  stops: StoppablePart[],
  recording: Recording | null,
  givenOffsetMs: number | null = null,
): Promise<OpenContext> {
  const logger = createLogger(config.logLevel);
  const realClock = await startDatabaseClock(urls.app, logger, givenOffsetMs);
  stops.push({ what: "the clock", stop: () => realClock.close() });
  const { world, anchor } = await openWorld(
    urls.owner,
    config,
    realClock,
    schemaOf(config.world),
    recording,
    undefined,
    () => listLiveMarket(config),
  );
  const database = openWorldDatabase({ url: urls.app, schema: world.schema });
  stops.push({ what: "the database connections", stop: () => database.close() });
  const { bus, linkBus } = await openBus(config, urls.app, schemaOf(config.world), logger, stops);
  const jobs = createJobs({ database, url: urls.app, logger });
  const fieldEncryption = createFieldEncryption({ config, bus, realClock });
  const messages = createMessages();
  const securityLog = openSecurityLog(logger, realClock, stops);
  const keys = { fieldEncryption, messages, logger, securityLog };
  const clocks = { realClock, clockHealth: realClock.health };
  const rest = { config, world, database, ...clocks, bus, jobs, ...keys };
  if (config.worldClock === "running") {
    const clock = createRunningClock(anchor, realClock);
    return {
      ctx: { ...rest, clock },
      linkBus,
      clockOffsetMs: () => realClock.offsetMs(),
      drivenSocket: null,
    };
  }
  const clock = createDrivenClock(world.startMs, anchor.endMs);
  const socket = await listenForClock(clock, config);
  return {
    ctx: { ...rest, clock },
    linkBus,
    clockOffsetMs: () => realClock.offsetMs(),
    drivenSocket: { what: "the driven clock", stop: () => socket.close() },
  };
}

/** How late a number of repetitions may be written. */
const dueEveryMs = repeatMs / 6;

/** Writes what it counted when a minute is over, and at the end. */
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

/**
 * The embedded database serves one program, whose processes are linked; an external one may serve
 * several, which share a bus through it.
 */
async function openBus(
  config: Config,
  url: string,
  schema: string,
  logger: Logger,
  stops: StoppablePart[],
): Promise<{ bus: Bus; linkBus: LinkBus }> {
  const onError = (error: unknown) =>
    logger.error(
      { err: error },
      "the bus or one of its listeners failed; a lost connection is reported once",
    );
  if (config.databaseUrl === null) {
    const bus = createLinkedBus(onError);
    return { bus, linkBus: (channel) => bus.link(channel) };
  }
  const onReconnect = (outage: Outage) =>
    logger.warn(outage, "the bus reconnected; reading all state again");
  const bus = await createSharedBus({ url, schema, onError, onReconnect });
  stops.push({ what: "the bus", stop: () => bus.close() });
  return { bus, linkBus: () => () => {} };
}
