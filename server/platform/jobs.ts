import { setTimeout as sleep } from "node:timers/promises";
import type { ServiceName } from "#server/platform/config/config.ts";
import type { Database } from "#server/platform/db/database.ts";
import {
  createLocks,
  type LockConnection,
  type Locks,
  type LocksState,
} from "#server/platform/db/locks.ts";
import { withPurpose } from "#server/platform/db/pools.ts";
import type { Logger } from "#server/platform/logger.ts";

/** Background work that runs in one process of the world at a time, under an advisory lock. */
export type Job = {
  /** `<domain>.<what>`, unique in the world. */
  name: string;
  /**
   * Which service runs it; `worker` when left out. A job of `feed` has the connections of the feed,
   * so that long jobs cannot delay it.
   */
  service?: Exclude<ServiceName, "web">;
} & (
  | {
      /** Runs at the start, then this many real seconds after it last ended. */
      everySeconds: number;
      /** Ends early once `signal` aborts if it would take long. */
      run: (signal: AbortSignal) => Promise<unknown>;
    }
  | {
      /** Works until `signal` aborts; restarted when it returns or throws. */
      loop: (signal: AbortSignal) => Promise<void>;
    }
);

/** A job event in this process. A loop begins, and never ends unless it fails. */
export interface JobEvent {
  name: string;
  what: "began" | "ended" | "failed";
  /** Real milliseconds since it began. */
  tookMs: number;
  error: unknown;
}

export interface Jobs {
  /** Adds jobs before `start`. */
  add(jobs: readonly Job[]): void;
  /** Every job of the world with the seconds between two runs; null for a loop. */
  list(): { name: string; everySeconds: number | null }[];
  /** Calls `listener` for every job event of this process from now on. It must not throw. */
  watch(listener: (event: JobEvent) => void): void;
  /** The connection that holds the locks of jobs; null while none has been started here. */
  locks(): LocksState | null;
  /** Runs a job other than a loop now, in this process. For tests and manual use. */
  runNow(name: string): Promise<void>;
  /** Starts the jobs of these services; all without it. */
  start(services?: readonly ServiceName[]): void;
  /**
   * Aborts the loops and waits for running jobs to finish, a few seconds at most; uncommitted work
   * is then rolled back.
   */
  stop(): Promise<void>;
}

interface Options {
  database: Database;
  /** As the application's role. */
  url: string;
  /** The connection that holds the locks of all worlds of this process; its own without one. */
  lockConnection?: Pick<LockConnection, "forSchema">;
  logger: Logger;
  graceMs?: number;
}

/**
 * Real time before a job that threw runs again: doubled each time up to its own interval, and to a
 * minute at most.
 */
const retryMinMs = 1_000;
const retryMaxMs = 60_000;

/**
 * Real time before a loop that threw, or whose lock another process holds, is tried again: doubled
 * up to a second. After a kill the first moments count, for no second is closed and no order taken
 * without the feed; a standby that waits for long asks once a second.
 */
const loopRetryMinMs = 50;
const loopRetryMaxMs = 1_000;
/** A loop that ran for this long has recovered from earlier failures. */
const recoveredMs = 10_000;

/**
 * Real time that running jobs get to finish when the program stops; then their connections are cut.
 * The audit of a large ledger reads for longer than a stop may take.
 */
const stopGraceMs = 5_000;

/** Runs jobs under advisory locks that one connection of the process holds. */
export function createJobs(options: Options): Jobs {
  const jobs = new Map<string, Job>();
  const listeners: ((event: JobEvent) => void)[] = [];
  const stopping = new AbortController();
  let running: Promise<void>[] = [];
  let locks: Locks | null = null;
  /** Runs `work` on the connections of the job's service and reports its life to the listeners. */
  const withEvents = async ({ name, service }: Job, work: () => Promise<unknown>) => {
    const startedMs = performance.now();
    const emit = (event: JobEvent["what"], error: unknown = null) => {
      const tookMs = Math.round(performance.now() - startedMs);
      for (const listener of listeners) listener({ name, what: event, tookMs, error });
    };
    emit("began");
    try {
      await withPurpose(service === "feed" ? "feed" : "jobs", work);
    } catch (error) {
      emit("failed", error);
      throw error;
    }
    emit("ended");
  };
  /** Runs a job whenever this process has its lock, until the process stops. */
  const keepRunning = async (job: Job, locks: Locks) => {
    const { signal } = stopping;
    let failures = 0;
    let misses = 0;
    const work = async (signal: AbortSignal) => {
      if ("loop" in job) return withEvents(job, () => job.loop(signal));
      while (!signal.aborted) {
        await withEvents(job, () => job.run(signal));
        failures = 0;
        await pause(job.everySeconds * 1000, signal);
      }
    };
    while (!signal.aborted) {
      const startedMs = performance.now();
      try {
        await locks.hold(`loop/${job.name}`, (lostSignal) =>
          work(AbortSignal.any([signal, lostSignal])),
        );
        if (performance.now() - startedMs > recoveredMs) misses = 0;
        await pause(loopRetryMs(misses), signal);
        misses += 1;
      } catch (error) {
        if (signal.aborted) return;
        // A periodic job has recovered when it succeeds, however long it took to fail.
        if ("loop" in job && performance.now() - startedMs > recoveredMs) failures = 0;
        const retryMs = retryAfter(job, failures);
        failures += 1;
        options.logger.error({ err: error, job: job.name, retryMs }, "a job failed; retrying");
        await pause(retryMs, signal);
      }
    }
  };
  return {
    add: (newJobs) => {
      for (const job of newJobs) {
        if (jobs.has(job.name)) throw new Error(`the job ${job.name} is registered twice`);
        jobs.set(job.name, job);
      }
    },
    list: () =>
      [...jobs.values()].map((job) => ({
        name: job.name,
        everySeconds: "loop" in job ? null : job.everySeconds,
      })),
    watch: (listener) => {
      listeners.push(listener);
    },
    locks: () => locks?.state() ?? null,
    runNow: async (name) => {
      const job = jobs.get(name);
      if (!job || "loop" in job) throw new Error(`there is no job ${name} to run`);
      await withEvents(job, () => job.run(stopping.signal));
    },
    start: (services) => {
      const { url, logger, lockConnection } = options;
      const { schema } = options.database;
      const { signal } = stopping;
      const heldLock =
        lockConnection?.forSchema(schema, signal) ??
        createLocks({ url, schema, logger, stopping: signal });
      locks = heldLock;
      running = [...jobs.values()]
        .filter(({ service = "worker" }) => services?.includes(service) ?? true)
        .map((job) => keepRunning(job, heldLock));
    },
    stop: async () => {
      stopping.abort();
      const { database, graceMs = stopGraceMs } = options;
      // Again and again: a job that is between two transactions has no connection to cut.
      const cutTimer = setInterval(() => {
        for (const purpose of ["feed", "jobs"] as const) database.cut(purpose);
      }, graceMs).unref();
      await Promise.all(running);
      clearInterval(cutTimer);
      await locks?.close();
      locks = null;
    },
  };
}

function loopRetryMs(tries: number): number {
  return Math.min(loopRetryMaxMs, loopRetryMinMs * 2 ** tries);
}

function retryAfter(job: Job, failures: number): number {
  if ("loop" in job) return loopRetryMs(failures);
  const longestMs = Math.min(retryMaxMs, Math.max(retryMinMs, job.everySeconds * 1000));
  return Math.min(longestMs, retryMinMs * 2 ** failures);
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {});
}
