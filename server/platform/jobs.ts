import { setTimeout as sleep } from "node:timers/promises";
import { PgBoss } from "pg-boss";
import type { Database } from "#server/platform/db/database.ts";
import { createLocks, type Locks } from "#server/platform/db/locks.ts";
import { connectionConfig, purposeOfJob, withPurpose } from "#server/platform/db/pools.ts";
import type { Logger } from "#server/platform/logger.ts";

/**
 * A job event in this process. A loop without a schedule only starts, and never ends unless it
 * fails.
 */
export interface JobEvent {
  name: string;
  what: "began" | "ended" | "failed";
  /** Real milliseconds since the start. */
  tookMs: number;
  error: unknown;
}

/**
 * Background work. Domains register it when they are created; only a `worker` or `feed` process
 * starts it.
 */
export interface Jobs {
  /**
   * Runs `run` once per world, however many processes there are: on a cron schedule in UTC (retried
   * with backoff if it throws), or a fixed number of seconds after the previous run ended.
   */
  every(name: string, schedule: string | number, run: () => Promise<void>): void;
  /**
   * Runs `run` in one process of the world at a time, under an advisory lock. `run` works until
   * `signal` aborts; if it returns or throws, it is restarted after a second.
   */
  runLoop(name: string, run: (signal: AbortSignal) => Promise<void>): void;
  /** The jobs registered here: a cron line, the seconds between two runs, or null for a loop. */
  list(): { name: string; schedule: string | number | null }[];
  /** Calls `listener` for every job event of this process from now on. It must not throw. */
  watch(listener: (event: JobEvent) => void): void;
  /**
   * Runs the job registered by `every` under `name` now, in this process. For tests and manual use.
   */
  runNow(name: string): Promise<void>;
  /** Starts the jobs whose names `wanted` accepts; all of them without it. */
  start(wanted?: (name: string) => boolean): Promise<void>;
  /**
   * Aborts the loops, waits for running jobs to finish, and returns when everything has stopped.
   */
  stop(): Promise<void>;
}

interface Options {
  database: Database;
  /** Connects as the application's role. */
  url: string;
  logger: Logger;
}

type JobRun = () => Promise<void>;

/** Jobs on pg-boss (schema `<world schema>_jobs`) and loops under advisory locks. */
export function createJobs(options: Options): Jobs {
  const scheduled = new Map<string, { cron: string; run: JobRun }>();
  const runs = new Map<string, JobRun>();
  const schedules = new Map<string, string | number | null>();
  const listeners: ((event: JobEvent) => void)[] = [];
  const loops = new Map<string, (signal: AbortSignal) => Promise<void>>();
  const stopping = new AbortController();
  let running: Promise<void>[] = [];
  let boss: PgBoss | null = null;
  let locks: Locks | null = null;
  const remember = (name: string, has: boolean) => {
    if (has) throw new Error(`job ${name} is registered twice`);
  };
  /**
   * Wraps `run` with lifecycle events and runs it on the connections of its purpose. A run that
   * does not fail has ended, except a loop that was asked to stop.
   */
  const withEvents =
    <Args extends unknown[]>(name: string, run: (...args: Args) => Promise<void>) =>
    (...args: Args): Promise<void> =>
      withPurpose(purposeOfJob(name), async () => {
        const startedMs = performance.now();
        const emit = (what: JobEvent["what"], error: unknown = null) => {
          const tookMs = Math.round(performance.now() - startedMs);
          for (const listener of listeners) listener({ name, what, tookMs, error });
        };
        emit("began");
        try {
          await run(...args);
        } catch (error) {
          emit("failed", error);
          throw error;
        }
        emit("ended");
      });
  return {
    every: (name, schedule, work) => {
      remember(name, runs.has(name));
      const run = withEvents(name, work);
      runs.set(name, run);
      schedules.set(name, schedule);
      if (typeof schedule === "string") scheduled.set(name, { cron: schedule, run });
      else loops.set(name, (signal) => repeat(schedule, run, signal));
    },
    runLoop: (name, run) => {
      remember(name, loops.has(name));
      loops.set(name, withEvents(name, run));
      schedules.set(name, null);
    },
    list: () => [...schedules].map(([name, schedule]) => ({ name, schedule })),
    watch: (listener) => {
      listeners.push(listener);
    },
    runNow: async (name) => {
      const run = runs.get(name);
      if (!run) throw new Error(`no such job: ${name}`);
      await run();
    },
    start: async (wanted = () => true) => {
      const mine = [...scheduled].filter(([name]) => wanted(name));
      const { url, logger, database } = options;
      const held = createLocks({ url, schema: database.schema, logger, stopping: stopping.signal });
      locks = held;
      running = [...loops]
        .filter(([name]) => wanted(name))
        .map(([name, run]) => keepRunning(options, held, name, run, stopping.signal));
      if (mine.length > 0) boss = await startBoss(options, mine);
    },
    stop: async () => {
      stopping.abort();
      await boss?.stop({ graceful: true, timeout: 10_000 });
      boss = null;
      await Promise.all(running);
      await locks?.close();
      locks = null;
    },
  };
}

async function repeat(seconds: number, run: JobRun, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await run();
    await pause(seconds * 1000, signal);
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {});
}

async function keepRunning(
  { logger }: Options,
  locks: Locks,
  name: string,
  run: (signal: AbortSignal) => Promise<void>,
  stopping: AbortSignal,
): Promise<void> {
  while (!stopping.aborted) {
    try {
      await locks.hold(`loop/${name}`, (lost) => run(AbortSignal.any([stopping, lost])));
    } catch (error) {
      if (!stopping.aborted) logger.error({ err: error, loop: name }, "loop failed; restarting");
    }
    if (!stopping.aborted) await pause(1000, stopping);
  }
}

async function startBoss(
  { database, url, logger }: Options,
  scheduled: readonly [string, { cron: string; run: JobRun }][],
): Promise<PgBoss> {
  const boss = new PgBoss({
    ...connectionConfig({ url, name: "drydock-jobs" }),
    schema: `${database.schema}_jobs`,
    createSchema: false,
    max: 4,
    reindex: false,
  });
  boss.on("error", (error) => logger.error({ err: error }, "job queue failed"));
  await boss.start();
  for (const [name, { cron, run }] of scheduled) {
    await boss.createQueue(name, { retryLimit: 5, retryDelay: 10, retryBackoff: true });
    await boss.schedule(name, cron, null, { tz: "UTC" });
    await boss.work(name, { pollingIntervalSeconds: 5 }, async () => {
      try {
        await run();
      } catch (error) {
        logger.error({ err: error, job: name }, "job failed; will retry");
        throw error;
      }
    });
  }
  return boss;
}
