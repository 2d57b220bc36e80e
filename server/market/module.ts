import type { MarketSymbol } from "#core/market/symbols.ts";
import { createRounds } from "#server/market/beacon/rounds.ts";
import { createDayLeaves, type DayLeavesDeps } from "#server/market/dayLeaves.ts";
import { createFeed, type FeedDeps } from "#server/market/feed.ts";
import { createLiveSource } from "#server/market/live/source.ts";
import { createMarket } from "#server/market/market.ts";
import { createMarketHistory } from "#server/market/marketHistory.ts";
import { marketMetrics } from "#server/market/metrics.ts";
import { startPush } from "#server/market/push.ts";
import { createRecorder } from "#server/market/recordings/recorder.ts";
import type { Recording } from "#server/market/replay/recording.ts";
import { createReplaySource } from "#server/market/replay/source.ts";
import { type RetentionDeps, retentionJob } from "#server/market/retention.ts";
import { marketRoutes } from "#server/market/routes.ts";
import { createSimulatedSource, type NewestSource } from "#server/market/simulated.ts";
import type { LeafLog } from "#server/market/source.ts";
import { defineModule } from "#server/module/module.ts";
import { createLagCheck } from "#server/platform/health.ts";
import type { StreamHub } from "#server/platform/http/stream.ts";
import { listVenues } from "#server/platform/world.ts";
import type { TransparencyLog } from "#server/transparency-log/transparencyLog.ts";

interface MarketDeps {
  transparencyLog: LeafLog & { witnesses: Pick<TransparencyLog["witnesses"], "newest"> };
  /** The recording the world replays; null when its market is another. */
  recording: Recording | null;
  hub: StreamHub;
  contributions: FeedDeps["contributions"] &
    RetentionDeps["contributions"] &
    DayLeavesDeps["contributions"];
}

export const marketModule = defineModule<MarketDeps>()({
  name: "market",
  needs: ["transparencyLog", "recording", "hub", "contributions"],
  create: async (ctx, { transparencyLog, recording, hub, contributions }) => {
    const market = await createMarket(ctx);
    const rounds = createRounds(ctx, transparencyLog);
    /** A day's source by rule: its round, else the newest cosignature, else nothing. */
    const newestSource: NewestSource = async (tx, atMs) => {
      const round = await rounds.of(tx, atMs);
      if (round) return round;
      if (rounds.isDue(atMs))
        ctx.logger.warn({ atMs }, "a day begins without its round of the beacon");
      return (await transparencyLog.witnesses.newest(tx)) ?? { kind: "none" };
    };
    const source = recording
      ? createReplaySource(ctx, recording)
      : ctx.world.market.kind === "live"
        ? createLiveSource(ctx)
        : createSimulatedSource(ctx, transparencyLog, undefined, newestSource);
    const recorder = createRecorder(ctx, source.venues);
    const feed = createFeed(ctx, { source, transparencyLog, contributions });
    const stopPush = startPush(ctx, { market, hub });
    return {
      service: {
        ...market,
        ...createMarketHistory(ctx, source, market),
        feed,
        /** All venues of the world, in the order of its `world` leaf. */
        venues: source.venues,
        venuesOf: (symbol: MarketSymbol) => listVenues(ctx.world, symbol),
      },
      routes: (app) => marketRoutes(app, market, source.venues),
      jobs: [
        {
          name: "market.feed",
          service: "feed",
          loop: async (signal) => {
            await rounds.collectLate(signal);
            const stop = await recorder.listen();
            await feed.run(signal).finally(stop);
          },
        },
        createDayLeaves(ctx, { transparencyLog, contributions }).job,
        retentionJob(ctx, { contributions }),
        ...rounds.jobs,
      ],
      personalData: null,
      onSecond: recorder.hooks,
      health: { feed: createLagCheck(async () => market.lagMs()) },
      metrics: marketMetrics(ctx, market),
      prepare: () => feed.prepare(),
      stop: async () => {
        stopPush();
        await source.close?.();
      },
    };
  },
});
