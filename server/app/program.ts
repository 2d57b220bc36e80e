import { type Connections, openConnections } from "#server/app/connections.ts";
import { type FeedProcess, forkFeed } from "#server/app/feedProcess.ts";
import {
  getAddress,
  listenAtPort,
  listNetworkAddresses,
  requireFreePort,
} from "#server/app/listen.ts";
import { startMetrics } from "#server/app/metrics.ts";
import type { Services } from "#server/app/modules.ts";
import { openRecording } from "#server/market/replay/openRecording.ts";
import type { Config } from "#server/platform/config/config.ts";
import { lockDataDirectory } from "#server/platform/config/dataDirectory.ts";
import { toStartError } from "#server/platform/db/startErrors.ts";
import { createLogger } from "#server/platform/logger.ts";
import { type StopError, type StoppablePart, stopAll } from "#server/platform/stopAll.ts";
import { openDirectory } from "#server/platform/worlds/directory.ts";
import { startArchiveRounds } from "#server/postgres/archive/rounds.ts";
import { writeArchiveNote } from "#server/postgres/archive/walArchive.ts";
import { startEmbeddedPostgres } from "#server/postgres/embedded.ts";
import { requireExternalDatabase } from "#server/postgres/externalDatabase.ts";
import { followDirectory } from "./worlds/hostedWorlds.ts";
import { serveWorld, type WorldHost } from "./worlds/servedWorld.ts";
import { createWorldAdmin } from "./worlds/worldAdmin.ts";
import { createWorldFinder, interceptRequests } from "./worlds/worldFinder.ts";

/** The one-time code that creates the first operator of a world of the directory. */
export interface FirstCode {
  world: string;
  address: string;
  code: string;
}

export interface Program {
  /** The URL to open; null without the `web` service. */
  address: string | null;
  /** URLs for phones on the local network, when it listens there. */
  networkAddresses: string[];
  /** The URL of the metrics; null without a metrics port. */
  metricsAddress: string | null;
  services: Services;
  /**
   * The one-time code that creates the first operator; null when there is one, or without the `web`
   * service.
   */
  firstCode: string | null;
  /**
   * Calls `listener` for each world of the directory that opens without an operator, with its
   * address and the code.
   */
  onFirstCode(listener: (first: FirstCode) => void): void;
  /**
   * Stops everything in order: requests, loops, database. Throws a StopError, once everything was
   * asked to stop, if a part failed.
   */
  stop(): Promise<void>;
  /** Resolves with a message when an essential part ends unexpectedly. */
  broken: Promise<string>;
}

/**
 * Starts everything: database, migrations, seed, market, jobs, web. When a part fails to start,
 * those before it are stopped again and a StartError says what to do. `web` returns the built
 * pages; it runs while the database starts.
 */
export async function startProgram(
  config: Config,
  web: () => Promise<string | null>,
): Promise<Program> {
  const parts: StoppablePart[] = [];
  const stop = async () => {
    try {
      await stopAll(parts);
    } catch (error) {
      const logger = createLogger(config.logLevel);
      for (const failure of (error as StopError).failures) {
        logger.error({ err: failure.error, part: failure.what }, "a part failed to stop");
      }
      throw error;
    }
  };
  try {
    return await start(config, web, parts, stop);
  } catch (error) {
    await stop().catch(() => {}); // logged only: the start error is thrown
    throw toStartError(error);
  }
}

async function start(
  config: Config,
  web: () => Promise<string | null>,
  parts: StoppablePart[],
  stop: () => Promise<void>,
): Promise<Program> {
  const broken = Promise.withResolvers<string>();
  // Before anything is written: an unusable recording leaves no trace.
  const recording = await openRecording(config);
  const data = config.databaseUrl ? null : lockDataDirectory(config.dataDirectory);
  if (data) parts.push({ what: "the data directory's lock", stop: () => data.release() });
  if (config.services.includes("web")) await requireFreePort(config);
  const feed = feedIsApart(config) ? forkFeed(createLogger(config.logLevel)) : null;
  if (feed) parts.push(feedPart(feed));
  const pages = config.services.includes("web") ? web() : Promise.resolve(null);
  pages.catch(() => {}); // awaited below
  const urls = await startDatabase(config, parts, broken.resolve);
  const connections = await openConnections(config, urls, parts);
  const host: WorldHost = { connections, pages, feed };
  const main = await serveWorld(host, config, {
    ...{ recording, isFirst: true, sleptBefore: false },
    ...withWorldActs(config, connections),
  });
  parts.push({ what: "the world", stop: () => main.stop() });
  if (config.servesDirectory) await recordInDirectory(config, urls);
  const codes: FirstCode[] = [];
  let onFirstCode = (first: FirstCode): void => void codes.push(first);
  const hosted = config.servesDirectory
    ? followDirectory(host, config, (world, code) => {
        const address = getAddress(world.config, world.config.port);
        onFirstCode({ world: world.config.world, address, code });
      })
    : null;
  if (hosted) parts.push({ what: "the other worlds", stop: () => hosted.stop() });
  if (feed) parts.push(feedPart(feed)); // stopped again: before the parts it uses
  const registries = () =>
    [main, ...(hosted?.open() ?? [])].flatMap(({ metrics }) => metrics ?? []);
  const metricsEndpoint = config.metrics && (await startMetrics(config.metrics, registries, feed));
  if (metricsEndpoint) parts.push(metricsEndpoint.part);
  let address: string | null = null;
  let networkAddresses: string[] = [];
  let firstCode: string | null = null;
  const { app, services } = main;
  if (hosted) parts.push({ what: "the other web servers", stop: () => hosted.closeWeb() });
  if (app) {
    parts.push({ what: "the web server", stop: () => app.close() });
    if (hosted) {
      const { realClock, messages } = connections;
      const serverOf = (name: string) => hosted.find(name)?.server() ?? null;
      const findWorld = await createWorldFinder({
        ...{ config, realClock, messages, serverOf },
        entries: () => hosted.entries(),
      });
      interceptRequests(app.server, findWorld);
    }
    const port = await listenAtPort(app, config);
    address = getAddress(config, port);
    networkAddresses = listNetworkAddresses(config, port);
    firstCode = await services.operator.firstCode();
  }
  return {
    address,
    networkAddresses,
    metricsAddress: metricsEndpoint?.address ?? null,
    services,
    firstCode,
    onFirstCode: (listener) => {
      onFirstCode = listener;
      for (const first of codes.splice(0)) listener(first);
    },
    stop,
    broken: broken.promise,
  };
}

/** Adds the administration of the other worlds to the main world's console. */
function withWorldActs(config: Config, { urls, realClock }: Connections) {
  return config.servesDirectory
    ? { worldAdmin: createWorldAdmin({ config, urls, realClock }) }
    : {};
}

/** Enters the main world in the directory too, so that its code leads people to it. */
async function recordInDirectory({ world }: Config, urls: Connections["urls"]): Promise<void> {
  const directory = await openDirectory(urls);
  try {
    await directory.noteMain(world);
  } finally {
    await directory.close();
  }
}

const feedPart = (feed: FeedProcess): StoppablePart => ({
  what: "the feed's process",
  stop: () => feed.stop(),
});

/**
 * Returns true if the feed runs in a separate process from the one that answers requests. False if
 * a test drives the clock, which only moves in one process.
 */
function feedIsApart({ services, worldClock }: Config): boolean {
  return services.includes("feed") && services.includes("web") && worldClock === "running";
}

async function startDatabase(
  config: Config,
  parts: StoppablePart[],
  onBroken: (message: string) => void,
): Promise<{ owner: string; app: string }> {
  if (config.databaseUrl && config.databaseOwnerUrl) {
    const ownUrls = { owner: config.databaseOwnerUrl, app: config.databaseUrl };
    await requireExternalDatabase(ownUrls, config.asyncStandby);
    return ownUrls;
  }
  const { dataDirectory, walArchive } = config;
  await writeArchiveNote(dataDirectory, walArchive?.folder ?? null);
  const postgres = await startEmbeddedPostgres({ dataDirectory });
  let stopping = false;
  parts.push({
    what: "PostgreSQL",
    // It first writes a checkpoint, whose duration depends on the disk.
    limitMs: 600_000,
    stop: () => {
      stopping = true;
      return postgres.stop();
    },
  });
  void postgres.process.ended.then(() => {
    if (!stopping)
      onBroken(
        "PostgreSQL exited unexpectedly; see postgres/log in the data directory for the reason.",
      );
  });
  const archiving =
    walArchive &&
    startArchiveRounds({
      dataDirectory,
      adminUrl: postgres.adminUrl,
      maxBytes: walArchive.maxBytes,
      logger: createLogger(config.logLevel),
    });
  if (archiving) parts.push(archiving);
  return { owner: postgres.ownerUrl, app: postgres.appUrl };
}
