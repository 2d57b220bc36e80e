import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type { Bus } from "#server/platform/bus/bus.ts";
import type { ClockPause, PausableClock, WorldClock } from "#server/platform/clock/clock.ts";
import type { Database, Db, Tx } from "#server/platform/db/database.ts";
import { withPurpose } from "#server/platform/db/pools.ts";
import type { Logger } from "#server/platform/logger.ts";

declare module "#server/platform/bus/bus.ts" {
  interface BusEvents {
    /** A pause of world time was announced or has ended. */
    "clock.paused": ClockPause;
  }
}

/** Real time before a failed read of the pauses is retried. */
const retryMs = 500;
/** Real time between two reads if events may be lost; shorter than the lead time of a pause. */
const readEveryMs = 4_000;

interface Row {
  ordinal: number;
  at_ms: bigint;
  resumed_real_ms: bigint | null;
}

/** The announced or current pause, as on the wire. */
export function toPauseView(clock: Pick<WorldClock, "pause">): { at_ms: number } | null {
  const pause = clock.pause();
  return pause && { at_ms: pause.atMs };
}

/** The pauses of a world since its creation, in order. */
export async function readPauses(db: Db | Tx): Promise<ClockPause[]> {
  const { rows } = await sql<Row>`
    select ordinal, at_ms, resumed_real_ms from world_pause order by ordinal`.execute(db);
  return rows.map((row) => ({
    ordinal: row.ordinal,
    atMs: Number(row.at_ms),
    resumedRealMs: row.resumed_real_ms === null ? null : Number(row.resumed_real_ms),
  }));
}

/**
 * Applies the world's pauses to `clock`: existing ones before this resolves, and later ones as they
 * are announced. Returns a function that stops this. Call before anything else listens to the bus,
 * so that the clock learns of a pause first. `isShared`: other programs announce pauses too, and
 * their events may be lost.
 */
export async function followPauses(
  clock: PausableClock,
  options: { database: Database; bus: Bus; logger: Logger; isShared: boolean },
): Promise<() => void> {
  const { database, bus, logger, isShared } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const readAll = async () => {
    const pauses = await withPurpose("jobs", () => readPauses(database.db));
    for (const pause of pauses) clock.applyPause(pause);
  };
  let isReading = false;
  let isStale = false;
  /**
   * One reader at a time, however long an outage lasts; a call during a read causes another read.
   */
  const readAgain = async () => {
    isStale = true;
    if (isReading) return;
    isReading = true;
    while (isStale && !signal.aborted) {
      isStale = false;
      try {
        await readAll();
      } catch (error) {
        isStale = true;
        logger.error({ err: error }, "the pauses of world time could not be read; trying again");
        await sleep(retryMs, undefined, { signal }).catch(() => {});
      }
    }
    isReading = false;
  };
  const forget = [
    bus.subscribe("clock.paused", (pause) => clock.applyPause(pause)),
    bus.subscribe("bus.reconnected", () => void readAgain()),
  ];
  await readAll();
  const timer = isShared ? setInterval(() => void readAgain(), readEveryMs) : undefined;
  return () => {
    stopping.abort();
    clearInterval(timer);
    for (const item of forget) item();
  };
}
