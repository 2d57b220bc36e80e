import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { networkInterfaces } from "node:os";
import { sql } from "kysely";
import { openContext } from "#server/app/context.ts";
import { type FeedProcess, feedTask, forkFeed } from "#server/app/feedProcess.ts";
import { createApp } from "#server/app/http.ts";
import { createProcessMetrics, startMetrics } from "#server/app/metrics.ts";
import { createWorld, type Services } from "#server/app/modules.ts";
import {
  type Recording,
  readRecording,
  requireStartInside,
} from "#server/market/replay/recording.ts";
import { type Config, isPrivateHost } from "#server/platform/config/config.ts";
import { lockDataDirectory } from "#server/platform/config/dataDirectory.ts";
import { createDirectoryChecks } from "#server/platform/config/sharedDirectory.ts";
import { requireInstanceKey } from "#server/platform/crypto/instanceKey.ts";
import type { Database } from "#server/platform/db/database.ts";
import { migrate } from "#server/platform/db/migrate.ts";
import { withPurpose } from "#server/platform/db/pools.ts";
import { asStartError } from "#server/platform/db/startErrors.ts";
import { socketsMax } from "#server/platform/http/limits/openFiles.ts";
import { createLogger } from "#server/platform/logger.ts";
import { StartError } from "#server/platform/startError.ts";
import { type StopError, type StoppablePart, stopAll } from "#server/platform/stopAll.ts";
import { schemaOf } from "#server/platform/world.ts";
import { startArchiveRounds } from "#server/postgres/archive/rounds.ts";
import { noteArchive } from "#server/postgres/archive/walArchive.ts";
import { startEmbeddedPostgres } from "#server/postgres/embedded.ts";
import { requireExternalDatabase } from "#server/postgres/externalDatabase.ts";

export interface Program {
  /** The URL to open; null without the `web` service. */
  address: string | null;
  /** URLs for phones on the local network, when it listens there. */
  networkAddresses: string[];
  /** Where its metrics are; null without a port for them. */
  metricsAddress: string | null;
  services: Services;
  /**
   * The one-time code that creates the first operator; null when there is one, or without the `web`
   * service.
   */
  firstCode: string | null;
  /**
   * Stops everything in order: requests, loops, database. Throws a StopError, once everything was
   * asked to stop, if a part failed.
   */
  stop(): Promise<void>;
  /** Resolves with a message when an essential part ends unexpectedly. */
  broken: Promise<string>;
}

/**
 * Clients that may wait to be accepted, such as a whole class after a restart. Beyond Node's 511 the
 * system would drop them, and they would ask again a second later. Linux caps it at its somaxconn.
 */
const backlog = 4_096;

/**
 * Starts one world: database, migrations, seed, market, jobs, web. When a part fails to start,
 * those before it are stopped again and a StartError says what to do. `web` returns the built
 * pages; it runs while the database starts.
 */
export async function startProgram(
  config: Config,
  web: () => Promise<string | null>,
): Promise<Program> {
  const stops: StoppablePart[] = [];
  const stop = async () => {
    try {
      await stopAll(stops);
    } catch (error) {
      const logger = createLogger(config.logLevel);
      for (const failure of (error as StopError).failures) {
        logger.error({ err: failure.error, part: failure.what }, "a part failed to stop");
      }
      throw error;
    }
  };
  try {
    return await start(config, web, stops, stop);
  } catch (error) {
    await stop().catch(() => {}); // logged; why it did not start matters more
    throw asStartError(error);
  }
}

async function start(
  config: Config,
  web: () => Promise<string | null>,
  stops: StoppablePart[],
  stop: () => Promise<void>,
): Promise<Program> {
  const broken = Promise.withResolvers<string>();
  // Before anything is written: an unusable recording leaves no trace.
  const recording = await openRecording(config);
  const data = config.databaseUrl ? null : lockDataDirectory(config.dataDirectory);
  if (data) stops.push({ what: "the data directory's lock", stop: () => data.release() });
  if (config.services.includes("web")) await requireFreePort(config);
  const feed = feedIsApart(config) ? forkFeed(createLogger(config.logLevel)) : null;
  if (feed) stops.push(feedPart(feed));
  const pages = config.services.includes("web") ? web() : Promise.resolve(null);
  pages.catch(() => {}); // awaited below
  const urls = await startDatabase(config, stops, broken.resolve);
  const schema = schemaOf(config.world);
  await migrate({
    ownerUrl: urls.owner,
    schema,
    appRole: decodeURIComponent(new URL(urls.app).username),
  });
  const services = feed ? config.services.filter((name) => name !== "feed") : config.services;
  const { ctx, linkBus, clockOffsetMs, drivenSocket } = await openContext(
    { ...config, services },
    urls,
    stops,
    recording,
  );
  if (drivenSocket) stops.push(drivenSocket);
  const metrics = createProcessMetrics(ctx);
  const { fieldEncryption } = ctx;
  await requireInstanceKey({ ownerUrl: urls.owner, schema, fieldEncryption, config });
  if (config.databaseUrl) {
    const checks = createDirectoryChecks(ctx);
    stops.push({ what: "the directory checks", stop: () => checks.stop() });
    await checks.prove(await countOtherProcesses(ctx.database));
  }
  const world = await createWorld(ctx, recording);
  stops.push({ what: "the modules", stop: () => world.stop() });
  // The routes are made while the database works.
  const [app] = await Promise.all([
    config.services.includes("web") ? createApp(ctx, world, await pages, undefined, metrics) : null,
    config.services.includes("feed") && withPurpose("jobs", () => world.prepare()),
  ]);
  stops.push({ what: "the jobs", stop: () => ctx.jobs.stop() });
  ctx.jobs.start(services);
  if (feed) {
    feed.begin(() => feedTask(config, urls, clockOffsetMs()), linkBus);
    stops.push(feedPart(feed)); // again: before what it uses
  }
  const metricsEndpoint = metrics && (await startMetrics(ctx, metrics, world, feed));
  if (metricsEndpoint) stops.push(metricsEndpoint.part);
  let address: string | null = null;
  let networkAddresses: string[] = [];
  let firstCode: string | null = null;
  if (app) {
    const directory = await pages;
    if (directory) await world.services.transparencyLog.recordBuild(directory, world.version);
    stops.push({ what: "the web server", stop: () => app.close() });
    const most = socketsMax();
    if (most !== null) app.server.maxConnections = most;
    await app.listen({ port: config.port, host: config.host, backlog }).catch((error) => {
      throw portError(config, error);
    });
    const { port } = app.server.address() as AddressInfo;
    address = addressOf(config, port);
    networkAddresses = networkAddressesOf(config, port);
    firstCode = await world.services.operator.firstCode();
  }
  return {
    address,
    networkAddresses,
    metricsAddress: metricsEndpoint?.address ?? null,
    services: world.services,
    firstCode,
    stop,
    broken: broken.promise,
  };
}

const feedPart = (feed: FeedProcess): StoppablePart => ({
  what: "the feed's process",
  stop: () => feed.stop(),
});

/**
 * Whether the feed runs in a process of its own beside the one that answers requests. Not where a
 * test drives the clock, which moves in one process.
 */
function feedIsApart({ services, worldClock }: Config): boolean {
  return services.includes("feed") && services.includes("web") && worldClock === "running";
}

/**
 * Reads the configured recording in full and checks that the world's start lies inside it; null for
 * other markets.
 */
async function openRecording({ market, worldStartMs }: Config): Promise<Recording | null> {
  if (market?.kind !== "replay") return null;
  const recording = await readRecording(market.folder);
  if (worldStartMs !== null) requireStartInside(recording, worldStartMs);
  return recording;
}

async function startDatabase(
  config: Config,
  stops: StoppablePart[],
  onBroken: (message: string) => void,
): Promise<{ owner: string; app: string }> {
  if (config.databaseUrl && config.databaseOwnerUrl) {
    const own = { owner: config.databaseOwnerUrl, app: config.databaseUrl };
    await requireExternalDatabase(own, config.asyncStandby);
    return own;
  }
  const { dataDirectory, walArchive } = config;
  await noteArchive(dataDirectory, walArchive?.folder ?? null);
  const postgres = await startEmbeddedPostgres({ dataDirectory });
  let stopping = false;
  stops.push({
    what: "PostgreSQL",
    // It writes a checkpoint first, which takes as long as the disk takes.
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
  if (archiving) stops.push(archiving);
  return { owner: postgres.ownerUrl, app: postgres.appUrl };
}

/** Processes on this database besides this one, of this world or another: each has a bus. */
async function countOtherProcesses({ db }: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer from pg_stat_activity
    where application_name = 'drydock-bus' and datname = current_database()`.execute(db);
  return Math.max(0, rows[0]!.count - 1);
}

/** Checks the port before the slow start-up steps, so that the error appears at once. */
async function requireFreePort(config: Config): Promise<void> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once("error", (error) => reject(portError(config, error)));
    probe.listen({ port: config.port, host: config.host }, () => probe.close(() => resolve()));
  });
}

function portError({ port, host }: Config, error: unknown): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case "EADDRINUSE":
      return new StartError(
        `Port ${port} is taken by another program: stop that one, or set PORT to another number.`,
      );
    case "EACCES":
      return new StartError(
        `Port ${port} needs rights that this user lacks: set PORT to a number above 1023.`,
      );
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return new StartError(`HOST is wrong: this machine has no address ${host}.`);
    default:
      return error;
  }
}

function addressOf(config: Config, port: number): string {
  if (config.publicUrl) return config.publicUrl.origin;
  const everywhere = config.host === "0.0.0.0" || config.host === "::";
  const host = everywhere
    ? "localhost"
    : config.host.includes(":")
      ? `[${config.host}]`
      : config.host;
  return `${config.tls ? "https" : "http"}://${host}:${port}`;
}

function networkAddressesOf(config: Config, port: number): string[] {
  if (config.publicUrl || (config.host !== "0.0.0.0" && config.host !== "::")) return [];
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(
      ({ family, internal, address }) => family === "IPv4" && !internal && isPrivateHost(address),
    )
    .map(({ address }) => `${config.tls ? "https" : "http"}://${address}:${port}`);
}
