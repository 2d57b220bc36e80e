import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Book } from "#core/market/book.ts";
import { sizeScale } from "#core/market/book.ts";
import { volumeScale } from "#core/market/kline.ts";
import { referenceMaxMs } from "#core/market/live/plausible.ts";
import { quoteMaxAgeMs } from "#core/market/quote.ts";
import { isSymbol } from "#core/market/symbols.ts";
import { type LiveProcess, startLiveProcess } from "#server/market/live/liveProcess.ts";
import {
  type LiveMessage,
  type LiveSecond,
  monotonicMs,
  type ReferencePrice,
  type VenueStatus,
} from "#server/market/live/messages.ts";
import { unpackLevels } from "#server/market/live/sampler.ts";
import type { MarketSource, SourceSecond } from "#server/market/source.ts";
import { readSeconds } from "#server/market/store.ts";
import type { AppContext } from "#server/platform/context.ts";
import { listLiveVenues } from "#server/platform/world.ts";

declare module "#server/platform/bus/bus.ts" {
  interface BusEvents {
    /**
     * The excluded quotes of a live market and when each exclusion began; sent on each change and
     * periodically.
     */
    "market.venues": { atMs: number; status: readonly VenueStatus[] };
  }
}

/**
 * Real time after its end for which a second waits for the live market's process. It then closes
 * without quotes, well within the ten seconds after which it would be lost.
 */
const waitMs = 700;
/** Seconds kept in memory: those that may still be closed, and a few more. */
const keptMs = 15_000;
/** The source of fees: ccxt, in the version that this program is pinned to. */
const feeSource = `ccxt ${readCcxtVersion()}`;
/** Repeated for processes that start later. */
const repeatStatusMs = 10_000;

/**
 * The live market (docs/rules/market.md): prices come from a separate process, second by second. A
 * second that it does not report is closed without quotes; another second's are never used.
 */
export function createLiveSource(
  ctx: Pick<AppContext, "world" | "clock" | "config" | "bus" | "logger">,
): MarketSource {
  const { world, clock, config, bus, logger } = ctx;
  const venues = listLiveVenues(world.listing);
  const symbols = world.listing.flatMap(({ name, ...rest }) =>
    isSymbol(name) ? [{ name, ...rest }] : [],
  );
  const buffered = new Map<number, LiveSecond>();
  const carriedVolumes = world.symbols.map(() => 0n);
  const references: (ReferencePrice | null)[] = symbols.map(() => null);
  let status: readonly VenueStatus[] = [];
  let publishedMs = Number.NEGATIVE_INFINITY;
  let arrival = Promise.withResolvers<void>();
  let liveProcess: LiveProcess | null = null;

  const remember = (atMs: number, index: readonly (bigint | null)[]) => {
    for (const [column, value] of index.entries())
      if (value !== null) references[column] = { value, atMs };
  };
  const publish = () => {
    publishedMs = clock.nowMs();
    bus.publish("market.venues", { atMs: publishedMs, status });
  };
  const onMessage = (message: LiveMessage) => {
    if (message.kind === "status") {
      status = message.status;
      publish();
    }
    if (message.kind !== "second") return;
    const { second } = message;
    // A decided second stays decided, also when its closing is retried.
    if (!buffered.has(second.secondMs)) {
      buffered.set(second.secondMs, second);
      remember(second.secondMs, second.index);
    }
    arrival.resolve();
    arrival = Promise.withResolvers();
  };
  const offsetMs = () => clock.uncappedMs() - monotonicMs();
  const start = () =>
    startLiveProcess(
      () => ({ venues, fakeVenues: config.liveFakeVenues, symbols, references: [...references] }),
      offsetMs,
      onMessage,
      logger,
    );

  /** The quotes at the end of a second; nothing, if the process does not send them in time. */
  async function secondAt(secondMs: number): Promise<LiveSecond> {
    for (;;) {
      const liveSecond = buffered.get(secondMs);
      if (liveSecond) return liveSecond;
      const leftMs = secondMs + waitMs - clock.uncappedMs();
      if (leftMs <= 0) {
        const emptySecond = silentSecond(secondMs, venues.length, symbols.length);
        buffered.set(secondMs, emptySecond);
        return emptySecond;
      }
      let timer: NodeJS.Timeout | undefined;
      const timeout = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, leftMs);
      });
      await Promise.race([arrival.promise, timeout]);
      clearTimeout(timer);
    }
  }

  return {
    kind: "live",
    venues,
    create: async () => ({ seedAnchor: null, recording: null }),
    prepare: async (tx, atMs) => {
      if (!liveProcess)
        for (const { secondMs, index } of await readSeconds(tx, atMs - referenceMaxMs))
          remember(secondMs, index);
      return { untilMs: Number.MAX_SAFE_INTEGER, history: null };
    },
    take: async (fromMs, toMs) => {
      liveProcess ??= start();
      liveProcess.setOffset(offsetMs());
      for (const ms of buffered.keys()) if (ms < fromMs - keptMs) buffered.delete(ms);
      const seconds: SourceSecond[] = [];
      for (let secondMs = fromMs; secondMs <= toMs; secondMs += 1_000)
        seconds.push(toSourceSecond(await secondAt(secondMs), carriedVolumes));
      if (clock.nowMs() - publishedMs >= repeatStatusMs) publish();
      return seconds;
    },
    bookOf: ({ secondMs }, venue, symbol): Book | null => {
      const book = buffered.get(secondMs)?.books[venue]?.[symbol];
      return book ? { bids: unpackLevels(book.bids), asks: unpackLevels(book.asks) } : null;
    },
    takerFee: ({ secondMs }, venue, symbol) => {
      const fee = buffered.get(secondMs)?.books[venue]?.[symbol]?.takerFee ?? null;
      return fee === null ? null : { fee, source: feeSource };
    },
    save: async () => {},
    close: async () => liveProcess?.stop(),
  };
}

function silentSecond(secondMs: number, venues: number, symbols: number): LiveSecond {
  const books = Array.from({ length: venues }, () => Array.from({ length: symbols }, () => null));
  const index = Array.from({ length: symbols }, () => null);
  return { secondMs, books, index, volume: Array.from({ length: symbols }, () => 0n) };
}

/**
 * `carriedVolumes` accumulates, by symbol at `sizeScale`, volume too small for the scale of klines.
 */
function toSourceSecond(
  { secondMs, books, volume }: LiveSecond,
  carriedVolumes: bigint[],
): SourceSecond {
  const unit = 10n ** BigInt(sizeScale - volumeScale);
  return {
    secondMs,
    quotes: books.map((row) =>
      row.map(
        (book) =>
          book && { bid: book.bid, ask: book.ask, atMs: book.atMs, maxAgeMs: quoteMaxAgeMs },
      ),
    ),
    volume: volume.map((tradedVolume, index) => {
      const total = tradedVolume + carriedVolumes[index]!;
      carriedVolumes[index] = total % unit;
      return total / unit;
    }),
  };
}

function readCcxtVersion(): string {
  const text = readFileSync(join(import.meta.dirname, "../../../package.json"), "utf8");
  const { dependencies } = JSON.parse(text) as { dependencies: Record<string, string> };
  return dependencies.ccxt ?? "";
}
