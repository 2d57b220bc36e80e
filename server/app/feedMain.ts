/**
 * The feed's process, forked by `npm start` (feedProcess.ts): closes seconds, signs the logs and
 * settles the orders of every world that its parent assigns. It ends at its parent's request, or
 * with its parent.
 */
import { flushCompileCache } from "node:module";
import type { Registry } from "prom-client";
import { type Connections, openConnections } from "#server/app/connections.ts";
import { openContext } from "#server/app/context.ts";
import type { FeedAnswer, FeedMessage, FeedTask } from "#server/app/feedProcess.ts";
import { createProcessMetrics } from "#server/app/metrics.ts";
import { createWorld } from "#server/app/modules.ts";
import { readRecording } from "#server/market/replay/recording.ts";
import { splitChannel } from "#server/platform/bus/linkedBus.ts";
import { createDirectoryChecks } from "#server/platform/config/sharedDirectory.ts";
import type { ProcessMetrics } from "#server/platform/metrics/registry.ts";
import { StartError } from "#server/platform/startError.ts";
import { type StoppablePart, stopAll } from "#server/platform/stopAll.ts";

/** A world that the process serves. */
interface ServedFeed {
  metrics: Registry | null;
  stop(): Promise<void>;
}

/** Delay before a world that failed to start is retried; doubled each time. */
const againMinMs = 1_000;
const againMaxMs = 60_000;

/** Resources of the process, closed after its worlds. */
const stops: StoppablePart[] = [];
const channels = splitChannel(process);
const worlds = new Map<string, Promise<ServedFeed>>();
let connections: Promise<Connections> | null = null;
let stopping: Promise<void> | null = null;

async function stop(): Promise<void> {
  stopping ??= (async () => {
    await Promise.all([...worlds.keys()].map(end));
    await stopAll(stops).catch(fail);
    process.exit(0);
  })();
  await stopping;
}

async function begin(task: FeedTask, isFirst: boolean): Promise<ServedFeed> {
  const parts: StoppablePart[] = [];
  const stopOwn = () => stopAll(parts);
  try {
    connections ??= connect(task);
    const metrics = await open(task, await connections, parts, isFirst);
    return { metrics, stop: stopOwn };
  } catch (error) {
    await stopOwn().catch(() => {}); // the original error matters more
    throw error;
  }
}

/** Connections that failed to open are opened again by the next world that begins or is retried. */
async function connect({ config, urls, clockOffsetMs }: FeedTask): Promise<Connections> {
  const parts: StoppablePart[] = [];
  try {
    const connections = await openConnections(config, urls, parts, clockOffsetMs);
    stops.push(...parts);
    return connections;
  } catch (error) {
    connections = null;
    await stopAll(parts).catch(() => {}); // logged only: the error of opening them is thrown
    throw error;
  }
}

async function open(
  { config }: FeedTask,
  connections: Connections,
  parts: StoppablePart[],
  isFirst: boolean,
): Promise<Registry | null> {
  const { market, publicUrl } = config;
  const recording = market?.kind === "replay" ? await readRecording(market.folder) : null;
  const { ctx, linkBus } = await openContext(
    {
      ...config,
      publicUrl: publicUrl === null ? null : new URL(publicUrl),
      socketUrl: null,
      tls: null,
    },
    connections,
    parts,
    recording,
  );
  const metrics = createProcessMetrics(ctx, isFirst);
  const unlink = linkBus(channels(config.world));
  parts.push({ what: "the bus between the processes", stop: unlink });
  if (config.databaseUrl) {
    const checks = createDirectoryChecks(ctx);
    parts.push({ what: "the directory checks", stop: () => checks.stop() });
  }
  const world = await createWorld(ctx, recording);
  parts.push({ what: "the modules", stop: () => world.stop() });
  parts.push({ what: "the jobs", stop: () => ctx.jobs.stop() });
  ctx.jobs.start(config.services);
  // A killed process would never write its compile cache.
  flushCompileCache();
  return metrics;
}

/**
 * Begins a world. A failure of one world must not stop the others, and a world is retried after a
 * lost connection. If the only world fails a start check, the process ends.
 */
function serve(task: FeedTask, isFirst = worlds.size === 0, againMs = againMinMs): void {
  const { world } = task.config;
  const servedWorld = begin(task, isFirst);
  worlds.set(world, servedWorld);
  servedWorld.catch((error) => {
    if (worlds.get(world) !== servedWorld) return;
    if (worlds.size === 1 && error instanceof StartError) fail(error);
    console.error(`The feed of the world ${world} did not begin:`, error);
    setTimeout(() => {
      if (worlds.get(world) === servedWorld)
        serve(task, isFirst, Math.min(againMaxMs, againMs * 2));
    }, againMs);
  });
}

/**
 * Ends a world. A failure to stop one world must not affect the others: its remaining work keeps
 * its locks until it ends, so that no other process can take the world over earlier.
 */
async function end(world: string): Promise<void> {
  const servedWorld = worlds.get(world);
  worlds.delete(world);
  const feed = await servedWorld?.catch(() => null);
  await feed?.stop().catch((error) => {
    console.error(`The feed of the world ${world} did not end as it should:`, error);
  });
}

/** Nothing to report before the process has begun. */
async function readMetrics(): Promise<ProcessMetrics[]> {
  const startedWorlds = await Promise.all(
    [...worlds.values()].map((world) => world.catch(() => null)),
  );
  return Promise.all(startedWorlds.flatMap((feed) => feed?.metrics?.getMetricsAsJSON() ?? []));
}

function answer(message: FeedAnswer): void {
  if (process.connected) process.send?.(message, () => {});
}

/** The parent starts another process after a while. */
function fail(error: unknown): never {
  console.error(error instanceof StartError ? error.message : error);
  process.exit(1);
}

// Ctrl-C reaches every process of the terminal: the parent decides when this one stops.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => {});
process.once("disconnect", () => process.exit(1));
process.on("message", (message: FeedMessage) => {
  if (message.kind === "begin") serve(message.task);
  if (message.kind === "end") {
    const { id, world } = message;
    void end(world).then(() => answer({ kind: "ended", id }));
  }
  if (message.kind === "metrics") {
    const { id } = message;
    void readMetrics().then((metrics) => answer({ kind: "metrics", id, metrics }), fail);
  }
  if (message.kind === "stop") void stop();
});
