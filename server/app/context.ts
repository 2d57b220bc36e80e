import type { Recording } from "#server/market/replay/recording.ts";
import { type Bus, createLocalBus } from "#server/platform/bus/bus.ts";
import { createSharedBus } from "#server/platform/bus/sharedBus.ts";
import { createDrivenClock, createRunningClock, realClock } from "#server/platform/clock.ts";
import type { Config } from "#server/platform/config/config.ts";
import type { AppContext } from "#server/platform/context.ts";
import { createFieldEncryption } from "#server/platform/crypto/fieldEncryption.ts";
import { openWorldDatabase } from "#server/platform/db/database.ts";
import { listenForClock } from "#server/platform/drivenClock.ts";
import { createMessages } from "#server/platform/http/language.ts";
import { createJobs } from "#server/platform/jobs.ts";
import { createLogger, type Logger } from "#server/platform/logger.ts";
import { openWorld, schemaOf } from "#server/platform/world.ts";

export type StopProgram = () => Promise<void> | void;

/**
 * Opens the context that every domain is given, on an existing, migrated database. Pushes whatever
 * must be closed again to `stops`; `drivenSocket` closes the socket through which tests move the
 * clock, null with a running clock.
 */
export async function openContext(
  config: Config,
  urls: { owner: string; app: string },
  stops: StopProgram[],
  recording: Recording | null,
): Promise<{ ctx: AppContext; drivenSocket: StopProgram | null }> {
  const logger = createLogger(config.logLevel);
  const { world, anchor } = await openWorld(
    urls.owner,
    config,
    realClock,
    schemaOf(config.world),
    recording,
  );
  const database = openWorldDatabase({ url: urls.app, schema: world.schema });
  stops.push(() => database.close());
  const bus = await openBus(config, urls.app, schemaOf(config.world), logger, stops);
  const jobs = createJobs({ database, url: urls.app, logger });
  const fieldEncryption = createFieldEncryption({ config, bus, realClock });
  const messages = createMessages();
  const rest = { config, world, database, realClock, bus, fieldEncryption, jobs, messages, logger };
  if (config.worldClock === "running") {
    return { ctx: { ...rest, clock: createRunningClock(anchor, realClock) }, drivenSocket: null };
  }
  const clock = createDrivenClock(world.startMs, anchor.endMs);
  const socket = await listenForClock(clock, config);
  return { ctx: { ...rest, clock }, drivenSocket: () => socket.close() };
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
  stops: StopProgram[],
): Promise<Bus> {
  const onError = (error: unknown) =>
    logger.error({ err: error }, "the bus or one of its listeners failed");
  if (config.databaseUrl === null) return createLocalBus(onError);
  const shared = await createSharedBus({ url, schema, onError });
  stops.push(() => shared.close());
  return shared;
}
