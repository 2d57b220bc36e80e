import type { Registry } from "prom-client";
import type { Connections } from "#server/app/connections.ts";
import { openContext } from "#server/app/context.ts";
import { type FeedProcess, toFeedTask } from "#server/app/feedProcess.ts";
import { createApp } from "#server/app/http.ts";
import { createProcessMetrics } from "#server/app/metrics.ts";
import { createWorld, type Services } from "#server/app/modules.ts";
import type { Recording } from "#server/market/replay/recording.ts";
import { countProcesses } from "#server/platform/bus/programs.ts";
import type { Config } from "#server/platform/config/config.ts";
import { createDirectoryChecks } from "#server/platform/config/sharedDirectory.ts";
import { requireInstanceKey } from "#server/platform/crypto/instanceKey.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { migrate } from "#server/platform/db/migrate.ts";
import { withPurpose } from "#server/platform/db/pools.ts";
import type { App } from "#server/platform/http/context.ts";
import { registerWorldMetrics } from "#server/platform/metrics/registry.ts";
import { type StoppablePart, stopAll } from "#server/platform/stopAll.ts";
import { schemaName } from "#server/platform/world.ts";
import type { WorldAdmin } from "#server/platform/worlds/admin.ts";
import { recordOnceBegun } from "#server/transparency-log/builds.ts";

/** The resources shared by the worlds of a process. */
export interface WorldHost {
  connections: Connections;
  /** The directory of the built pages; null: none are served. */
  pages: Promise<string | null>;
  /** The process that runs the feeds, if it is not this one. */
  feed: FeedProcess | null;
}

/** A world that this process serves. */
export interface ServedWorld {
  readonly config: Config;
  readonly services: Services;
  /** Does not listen yet; null without the `web` service. */
  readonly app: App | null;
  readonly metrics: Registry | null;
  /** True if its prices are real ones, which could not be fetched later. */
  readonly isLive: boolean;
  /** A transaction in the world, for what is no request. */
  transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /** The activities that must not be interrupted now, by name (`keepsAwake` of the modules). */
  keptAwakeBy(): Promise<Readonly<Record<string, number>>>;
  /** Throws a StopError, once everything was asked to stop, if a part failed. */
  stop(): Promise<void>;
}

interface OpenOptions {
  recording: Recording | null;
  /** The metrics of the process are reported with this world's. */
  isFirst: boolean;
  /** It was asleep until now. */
  sleptBefore: boolean;
  /** Its owner keeps the other worlds of the program, too. */
  worldAdmin?: WorldAdmin;
}

/**
 * Opens a world in this process: migrations, seed, market, jobs, routes. When a part fails, those
 * before it are stopped again.
 */
export async function serveWorld(
  host: WorldHost,
  config: Config,
  options: OpenOptions,
): Promise<ServedWorld> {
  const stops: StoppablePart[] = [];
  const stop = () => stopAll(stops);
  try {
    return { ...(await open(host, config, options, stops)), config, stop };
  } catch (error) {
    await stop().catch(() => {}); // why it did not open matters more
    throw error;
  }
}

async function open(
  { connections, pages, feed }: WorldHost,
  config: Config,
  { recording, isFirst, sleptBefore, worldAdmin }: OpenOptions,
  stops: StoppablePart[],
): Promise<Omit<ServedWorld, "config" | "stop">> {
  const { urls } = connections;
  const schema = schemaName(config.world);
  const appRole = decodeURIComponent(new URL(urls.app).username);
  await migrate({ ownerUrl: urls.owner, schema, appRole });
  const services = feed ? config.services.filter((name) => name !== "feed") : config.services;
  const context = await openContext({ ...config, services }, connections, stops, recording);
  const { linkBus, drivenSocket } = context;
  const ctx = { ...context.ctx, ...(worldAdmin ? { worldAdmin } : {}) };
  if (drivenSocket) stops.push(drivenSocket);
  const metrics = createProcessMetrics(ctx, isFirst);
  const { fieldEncryption } = ctx;
  await requireInstanceKey({ ownerUrl: urls.owner, schema, fieldEncryption, config });
  if (config.databaseUrl) {
    const checks = createDirectoryChecks(ctx);
    stops.push({ what: "the directory checks", stop: () => checks.stop() });
    const processes = await countProcesses(ctx.database.db);
    await checks.prove(Math.max(0, processes - 1));
  }
  const world = await createWorld(ctx, recording);
  stops.push({ what: "the modules", stop: () => world.stop() });
  // The routes are made while the database works.
  const [app] = await Promise.all([
    config.services.includes("web") ? createApp(ctx, world, await pages, undefined, metrics) : null,
    config.services.includes("feed") && withPurpose("jobs", () => world.prepare()),
  ]);
  if (sleptBefore) await withPurpose("jobs", () => world.services.transparencyLog.recordSleep());
  stops.push({ what: "the jobs", stop: () => ctx.jobs.stop() });
  ctx.jobs.start(services);
  if (feed) {
    const task = () => toFeedTask(config, urls, connections.realClock.offsetMs());
    feed.begin(config.world, { task, linkBus });
    stops.push({ what: "the feed", stop: () => feed.end(config.world) });
  }
  if (metrics) registerWorldMetrics(metrics, world.metrics());
  if (app) {
    const directory = await pages;
    if (directory) {
      const record = () => world.services.transparencyLog.recordBuild(directory, world.version);
      if (!(await record())) {
        const stop = recordOnceBegun(() => withPurpose("jobs", record), ctx.logger);
        stops.push({ what: "the log's note of the pages", stop });
      }
    }
    stops.push({ what: "the web server", stop: () => app.close() });
  }
  return {
    services: world.services,
    app,
    metrics,
    isLive: ctx.world.market.kind === "live",
    transaction: (work) => withPurpose("jobs", () => ctx.database.db.transaction().execute(work)),
    keptAwakeBy: () => withPurpose("jobs", () => world.keptAwakeBy()),
  };
}
