/**
 * The live market's process (liveProcess.ts): reads the venues' public prices through ccxt, which
 * no other process of Drydock loads, and sends its parent the quotes at the end of each second. It
 * gets no setting and no credential, cannot reach the disk or the database, and ends with its
 * parent.
 */

import { createKlineReader } from "#server/market/live/klineReader.ts";
import { LiveVenue } from "#server/market/live/liveVenue.ts";
import {
  type LiveCommand,
  type LiveMessage,
  type LiveTask,
  monotonicMs,
  type VenueListing,
  type WatchTask,
} from "#server/market/live/messages.ts";
import { createSampler } from "#server/market/live/sampler.ts";

let readKlines: ReturnType<typeof createKlineReader> | null = null;

/** World time minus the monotonic clock; the parent's, sent each second. */
let offsetMs = 0;
/** A larger change is not drift: the machine slept, or its clock was set. */
const leapMs = 1_000;
let watchedVenues: readonly LiveVenue[] = [];
const nowMs = () => monotonicMs() + offsetMs;

function sendMessage(message: LiveMessage): void {
  if (process.connected) process.send?.(message, () => {});
}

async function list({ venues, fakeVenues }: LiveTask): Promise<void> {
  const listOne = async (venue: string): Promise<VenueListing> => {
    try {
      const liveVenue = await LiveVenue.open(venue, fakeVenues, [], nowMs, () => {});
      return { venue, symbols: await liveVenue.list(), error: null };
    } catch (error) {
      return { venue, symbols: null, error: (error as Error).name };
    }
  };
  sendMessage({ kind: "listing", listing: await Promise.all(venues.map(listOne)) });
}

async function watch(task: WatchTask): Promise<void> {
  const stop = new AbortController();
  let close = () => {};
  const venues = await Promise.all(
    task.venues.map((id) => {
      const venueSymbols = task.symbols.filter((symbol) => symbol.venues.includes(id));
      return LiveVenue.open(id, task.fakeVenues, venueSymbols, nowMs, () => close());
    }),
  );
  watchedVenues = venues;
  const sampler = createSampler(task, venues, nowMs());
  // Called before every message, so that a second contains nothing that arrived after it.
  close = () => {
    for (const { second, status } of sampler.until(nowMs())) {
      sendMessage({ kind: "second", second });
      if (status) sendMessage({ kind: "status", status });
    }
  };
  for (const venue of venues) venue.run(stop.signal);
  const tick = () => {
    close();
    for (const venue of venues) {
      venue.refresh(sampler.nextMs() - 1_000);
      void venue.reloadMarkets();
    }
    setTimeout(tick, Math.max(1, Math.ceil(sampler.nextMs() - nowMs())));
  };
  tick();
}

process.on("message", (message: LiveCommand) => {
  switch (message.kind) {
    case "clock":
      if (Math.abs(message.offsetMs - offsetMs) > leapMs)
        for (const venue of watchedVenues) venue.forgetDelay();
      offsetMs = message.offsetMs;
      break;
    case "list":
      list(message.task).catch(fail);
      break;
    case "klines": {
      const { id, task } = message;
      readKlines ??= createKlineReader(task);
      readKlines(task).then((answer) => sendMessage({ kind: "klines", id, answer }), fail);
      break;
    }
    case "watch":
      offsetMs = message.offsetMs;
      watch(message.task).catch(fail);
      break;
  }
});

/** The parent restarts the process after a delay. */
function fail(error: unknown): never {
  console.error(error);
  process.exit(1);
}

// ccxt sends subscriptions without awaiting them: one that meets a connection just closed rejects a
// promise that no code holds. That connection is still reported lost and replaced.
process.on("unhandledRejection", (error) => console.error(String(error)));
process.on("SIGINT", () => {});
process.on("SIGTERM", () => {});
process.once("disconnect", () => process.exit(0));
