import type { Recording } from "#server/market/replay/recording.ts";
import type { Bus } from "#server/platform/bus/bus.ts";
import { type Channel, createLinkedBus } from "#server/platform/bus/linkedBus.ts";
import { createSharedBus } from "#server/platform/bus/sharedBus.ts";
import { createDrivenClock, createRunningClock } from "#server/platform/clock.ts";
import type { Config } from "#server/platform/config/config.ts";
import type { AppContext } from "#server/platform/context.ts";
import { createFieldEncryption } from "#server/platform/crypto/fieldEncryption.ts";
import { startDatabaseClock } from "#server/platform/databaseClock.ts";
import { openWorldDatabase } from "#server/platform/db/database.ts";
import { listenForClock } from "#server/platform/drivenClock.ts";
import { createMessages } from "#server/platform/http/language.ts";
import { createJobs } from "#server/platform/jobs.ts";
import { createLogger, type Logger } from "#server/platform/logger.ts";
import { openWorld, schemaOf } from "#server/platform/world.ts";

export type StopProgram = () => Promise<void> | void;

/** Connects the bus to that of another process of this program; returns how to disconnect it. */
type LinkBus = (channel: Channel) => () => void;

interface OpenContext {
  ctx: AppContext;
  linkBus: LinkBus;
  /** For a process that this one starts. */
  clockOffsetMs: () => number;
  drivenSocket: StopProgram | null;
}

/**
 * Opens the context that every domain is given, on an existing, migrated database. Pushes whatever
 * must be closed again to `stops`; `drivenSocket` closes the socket through which tests move the
 * clock, null with a running clock. `givenOffsetMs` is that of the process that started this one.
 */
export async function openContext(
  config: Config,
  urls: { owner: string; app: string },
  stops: StopProgram[],
  recording: Recording | null,
  givenOffsetMs: number | null = null,
): Promise<OpenContext> {
  const logger = createLogger(config.logLevel);
  const realClock = await startDatabaseClock(urls.app, logger, givenOffsetMs);
  stops.push(() => realClock.close());
  const { world, anchor } = await openWorld(
    urls.owner,
    config,
    realClock,
    schemaOf(config.world),
    recording,
  );
  const database = openWorldDatabase({ url: urls.app, schema: world.schema });
  stops.push(() => database.close());
  const { bus, linkBus } = await openBus(config, urls.app, schemaOf(config.world), logger, stops);
  const jobs = createJobs({ database, url: urls.app, logger });
  const fieldEncryption = createFieldEncryption({ config, bus, realClock });
  const messages = createMessages();
  const rest = {
    config,
    world,
    database,
    realClock,
    clockHealth: realClock.health,
    bus,
    fieldEncryption,
    jobs,
    messages,
    logger,
  };
  if (config.worldClock === "running") {
    const clock = createRunningClock(anchor, realClock);
    return {
      ctx: { ...rest, clock },
      linkBus,
      clockOffsetMs: realClock.offsetMs,
      drivenSocket: null,
    };
  }
  const clock = createDrivenClock(world.startMs, anchor.endMs);
  const socket = await listenForClock(clock, config);
  return {
    ctx: { ...rest, clock },
    linkBus,
    clockOffsetMs: realClock.offsetMs,
    drivenSocket: () => socket.close(),
  };
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
  stops: StopProgram[],
): Promise<{ bus: Bus; linkBus: LinkBus }> {
  const onError = (error: unknown) =>
    logger.error({ err: error }, "the bus or one of its listeners failed");
  if (config.databaseUrl === null) {
    const bus = createLinkedBus(onError);
    return { bus, linkBus: bus.link };
  }
  const bus = await createSharedBus({ url, schema, onError });
  stops.push(() => bus.close());
  return { bus, linkBus: () => () => {} };
}
