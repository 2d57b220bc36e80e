import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { connectionConfig } from "#server/platform/db/pools.ts";
import type { HealthCheck } from "#server/platform/health.ts";
import type { Logger } from "#server/platform/logger.ts";
import { StartError } from "#server/platform/startError.ts";
import type { RealClock } from "./clock.ts";
import {
  type ClockSample,
  type ClockState,
  describeDifferences,
  differenceMaxMs,
  nextClockState,
  roundTripMaxMs,
  startClockState,
} from "./clockSamples.ts";

/** The clocks that are compared; tests bring their own. */
export interface ClockSources {
  /** Never steps; counts from an arbitrary moment, and may stop while the machine sleeps. */
  monotonicMs(): number;
  /** This machine's clock, as set by hand or by NTP. */
  wallMs(): number;
  databaseMs(): Promise<number>;
}

/**
 * Real time that all processes of a world share: this process's monotonic clock plus an offset
 * learned from the database's clock. It never goes back, even if a clock is set.
 */
export interface DatabaseClock extends RealClock {
  /** Real time minus the monotonic clock, for another process of this machine to start with. */
  offsetMs(): number;
  /** Compares the clocks once. */
  sample(): Promise<void>;
  /** Not ok while one of the clocks is off by more than two seconds; says which, and by how much. */
  health: HealthCheck;
  /** Compares them each second until `stop`. */
  start(onError: (error: unknown) => void): void;
  stop(): Promise<void>;
}

const intervalMs = 1_000;
/** Samples at the start; the one with the shortest round trip counts. */
const startSamples = 5;

/**
 * Starts the clock at the database's time. Throws a StartError if this machine's clock differs from
 * it by more than two seconds. A process started by another process of this machine receives its
 * `offsetMs` instead and continues with the same time, even if a clock is wrong by now.
 */
export async function createDatabaseClock(
  sources: ClockSources,
  offsetMs: number | null = null,
): Promise<DatabaseClock> {
  const first = await bestSample(sources);
  if (offsetMs === null) requireAgreement(first);
  let state: ClockState = startClockState(first, offsetMs);
  let latestMs = 0;
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();
  const sample = async () => {
    state = nextClockState(state, await takeSample(sources));
  };
  return {
    nowMs: () => {
      latestMs = Math.max(latestMs, Math.floor(sources.monotonicMs() + state.offsetMs));
      return latestMs;
    },
    offsetMs: () => state.offsetMs,
    steppedAtMs: () => state.steppedAtMs,
    sample,
    health: async () => {
      const note = describeDifferences(state);
      return { ok: note === null, lag_ms: null, note: note ?? "agrees with the database's clock" };
    },
    start: (onError) => {
      running = (async () => {
        while (!stopping.signal.aborted) {
          await sleep(intervalMs, undefined, { signal: stopping.signal }).catch(() => {});
          if (!stopping.signal.aborted) await sample().catch(onError);
        }
      })();
    },
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

async function takeSample(sources: ClockSources): Promise<ClockSample> {
  const before = { monotonicMs: sources.monotonicMs(), wallMs: sources.wallMs() };
  const databaseMs = await sources.databaseMs();
  const after = { monotonicMs: sources.monotonicMs(), wallMs: sources.wallMs() };
  return {
    monotonicMs: (before.monotonicMs + after.monotonicMs) / 2,
    wallMs: (before.wallMs + after.wallMs) / 2,
    databaseMs,
    roundTripMs: Math.max(
      after.monotonicMs - before.monotonicMs,
      // The machine slept, or its clock was set, while the query was under way.
      Math.abs(after.wallMs - before.wallMs),
    ),
  };
}

async function bestSample(sources: ClockSources): Promise<ClockSample> {
  let best = await takeSample(sources);
  for (let count = 1; count < startSamples; count += 1) {
    const next = await takeSample(sources);
    if (next.roundTripMs < best.roundTripMs) best = next;
  }
  return best;
}

function requireAgreement({ wallMs, databaseMs, roundTripMs }: ClockSample): void {
  const differenceMs = wallMs - databaseMs;
  if (Math.abs(differenceMs) <= differenceMaxMs + roundTripMs / 2) return;
  const seconds = Math.round(Math.abs(differenceMs) / 1_000);
  throw new StartError(
    `This machine's clock is ${seconds} s ${differenceMs > 0 ? "ahead of" : "behind"} the database's clock: set both right (NTP does), then start again.`,
  );
}

/**
 * The clocks of this machine and of PostgreSQL, read over a dedicated connection: a pool may be
 * busy for seconds. A broken connection is opened again by the next sample.
 */
function openClockSources(url: string): ClockSources & { close(): Promise<void> } {
  let client: pg.Client | null = null;
  const connect = async () => {
    const pgClient = new pg.Client({
      ...connectionConfig({ url, name: "drydock-clock" }),
      // A longer answer would be ignored anyway.
      query_timeout: roundTripMaxMs * 10,
    });
    const forget = () => {
      if (client === pgClient) client = null;
    };
    pgClient.on("error", forget);
    pgClient.on("end", forget);
    await pgClient.connect();
    client = pgClient;
    return pgClient;
  };
  return {
    // Since the machine's start, so that its processes can share an offset.
    monotonicMs: () => Number(process.hrtime.bigint() / 1_000n) / 1_000,
    wallMs: () => Date.now(),
    databaseMs: async () => {
      const open = client ?? (await connect());
      try {
        const { rows } = await open.query<{ now_ms: string }>(
          "select extract(epoch from clock_timestamp()) * 1000 as now_ms",
        );
        return Number(rows[0]!.now_ms);
      } catch (error) {
        client = null;
        void open.end().catch(() => {});
        throw error;
      }
    },
    close: async () => {
      await client?.end();
      client = null;
    },
  };
}

/** The same, compared each second and closed with the program. */
export async function startDatabaseClock(
  url: string,
  logger: Logger,
  offsetMs: number | null,
): Promise<DatabaseClock & { close(): Promise<void> }> {
  const sources = openClockSources(url);
  try {
    const clock = await createDatabaseClock(sources, offsetMs);
    clock.start((error) => logger.debug({ err: error }, "the database's clock could not be read"));
    return {
      ...clock,
      close: async () => {
        await clock.stop();
        await sources.close();
      },
    };
  } catch (error) {
    await sources.close();
    throw error;
  }
}
