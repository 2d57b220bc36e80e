import { setTimeout as sleep } from "node:timers/promises";
import { PgBoss } from "pg-boss";
import type { Database } from "#server/platform/db/database.ts";
import { createLocks, type Locks } from "#server/platform/db/locks.ts";
import { connectionConfig, purposeOfJob, withPurpose } from "#server/platform/db/pools.ts";
import type { Logger } from "#server/platform/logger.ts";

/**
 * Something a job of this process did. A loop without a schedule only begins and, when all goes
 * well, never ends.
 */
export interface JobEvent {
  name: string;
  what: "began" | "ended" | "failed";
  /** Real milliseconds since it began. */
  tookMs: number;
  error: unknown;
}

/**
 * Work that happens by itself. Registered by domains when they are made; only a `worker` or `feed`
 * process starts it.
 */
export interface Jobs {
  /**
   * Runs `run` once for the whole world, whatever the number of processes: by a cron line in UTC
   * (retried with a growing delay when it throws), or every so many seconds after it last ended.
   */
  every(name: string, schedule: string | number, run: () => Promise<void>): void;
  /**
   * Runs `run` in one process of the world at a time, which holds an advisory lock while it does.
   * `run` works until
   * `signal` aborts; when it returns or throws it is started again after a second.
   */
  runLoop(name: string, run: (signal: AbortSignal) => Promise<void>): void;
  /**
   * What is registered here: a cron line, seconds between two runs, or null for a loop that works
   * all the time.
   */
  list(): { name: string; schedule: string | number | null }[];
  /** Tells `listener` what jobs of this process do, from now on. It must not throw. */
  watch(listener: (event: JobEvent) => void): void;
  /** Runs what `every` registered under `name` now, in this process. For tests and by hand. */
  runNow(name: string): Promise<void>;
  /** Starts those of the names that `wanted` takes; all without it. */
  start(wanted?: (name: string) => boolean): Promise<void>;
  /** Aborts the loops, lets running jobs end, and returns when all has stopped. */
  stop(): Promise<void>;
}

interface Options {
  database: Database;
  /** As the application's role. */
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
    if (has) throw new Error(`the job ${name} is registered twice`);
  };
  /**
   * The same work on the connections meant for it, and told of. What began and did not fail has
   * ended, unless it is a loop that was told to stop.
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
      if (!run) throw new Error(`there is no job ${name}`);
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
      if (!stopping.aborted)
        logger.error({ err: error, loop: name }, "a loop failed and starts again");
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
  boss.on("error", (error) => logger.error({ err: error }, "the job queue failed"));
  await boss.start();
  for (const [name, { cron, run }] of scheduled) {
    await boss.createQueue(name, { retryLimit: 5, retryDelay: 10, retryBackoff: true });
    await boss.schedule(name, cron, null, { tz: "UTC" });
    await boss.work(name, { pollingIntervalSeconds: 5 }, async () => {
      try {
        await run();
      } catch (error) {
        logger.error({ err: error, job: name }, "a job failed and is tried again");
        throw error;
      }
    });
  }
  return boss;
}
