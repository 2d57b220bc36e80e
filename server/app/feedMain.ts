/**
 * The feed's process, forked by `npm start` (feedProcess.ts): closes seconds, signs the log and
 * settles orders. It ends when its parent says so, or has ended.
 */
import { flushCompileCache } from "node:module";
import { openContext } from "#server/app/context.ts";
import type { FeedMessage, FeedMetrics, FeedTask } from "#server/app/feedProcess.ts";
import { createProcessMetrics } from "#server/app/metrics.ts";
import { createWorld } from "#server/app/modules.ts";
import { readRecording } from "#server/market/replay/recording.ts";
import { createDirectoryChecks } from "#server/platform/config/sharedDirectory.ts";
import { StartError } from "#server/platform/startError.ts";
import { type StoppablePart, stopAll } from "#server/platform/stopAll.ts";

const stops: StoppablePart[] = [];
let stopping: Promise<void> | null = null;
let metrics: ReturnType<typeof createProcessMetrics> = null;

async function stop(): Promise<void> {
  stopping ??= (async () => {
    await stopAll(stops).catch(fail);
    process.exit(0);
  })();
  await stopping;
}

async function run({ config, urls, clockOffsetMs }: FeedTask): Promise<void> {
  const { market, publicUrl } = config;
  const recording = market?.kind === "replay" ? await readRecording(market.folder) : null;
  const { ctx, linkBus } = await openContext(
    {
      ...config,
      publicUrl: publicUrl === null ? null : new URL(publicUrl),
      socketUrl: null,
      tls: null,
    },
    urls,
    stops,
    recording,
    clockOffsetMs,
  );
  metrics = createProcessMetrics(ctx);
  stops.push({ what: "the bus between the processes", stop: linkBus(process) });
  if (config.databaseUrl) {
    const checks = createDirectoryChecks(ctx);
    stops.push({ what: "the directory checks", stop: () => checks.stop() });
  }
  const world = await createWorld(ctx, recording);
  stops.push({ what: "the modules", stop: () => world.stop() });
  stops.push({ what: "the jobs", stop: () => ctx.jobs.stop() });
  ctx.jobs.start(config.services);
  // A process that is killed would never write what it compiled.
  flushCompileCache();
}

/** Before it has begun there is nothing to report. */
async function reportMetrics(id: number): Promise<void> {
  if (metrics === null) return;
  const answer: FeedMetrics = { kind: "metrics", id, metrics: await metrics.getMetricsAsJSON() };
  if (process.connected) process.send?.(answer, () => {});
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
  if (message.kind === "begin") run(message.task).catch(fail);
  if (message.kind === "metrics") void reportMetrics(message.id);
  if (message.kind === "stop") void stop();
});
