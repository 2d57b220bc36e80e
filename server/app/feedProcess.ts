import { type ChildProcess, fork } from "node:child_process";
import { getCompileCacheDir } from "node:module";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "#server/platform/config/config.ts";
import type { Logger } from "#server/platform/logger.ts";
import type { ProcessMetrics } from "#server/platform/metrics/registry.ts";

/** What the feed's process is started with. It prepares nothing: its parent has. */
export interface FeedTask {
  /** With the addresses as text; without the key of https, which the feed does not need. */
  config: Omit<Config, "publicUrl" | "socketUrl" | "tls"> & { publicUrl: string | null };
  urls: { owner: string; app: string };
  /** Its parent's, so that both have one time even if a clock is wrong by now. */
  clockOffsetMs: number;
}

export type FeedMessage =
  | { kind: "begin"; task: FeedTask }
  | { kind: "metrics"; id: number }
  | { kind: "stop" };

/** Its answer to a question for its metrics. */
export interface FeedMetrics {
  kind: "metrics";
  id: number;
  metrics: ProcessMetrics;
}

export interface FeedProcess {
  /**
   * Has the process begin its task, and starts another one whenever it ends by itself. `linkBus` connects
   * each to the program's bus and returns how to disconnect it.
   */
  begin(task: () => FeedTask, linkBus: (child: ChildProcess) => () => void): void;
  /** The metrics of the process; null while it does not answer. */
  metrics(): Promise<ProcessMetrics | null>;
  /** Idempotent. */
  stop(): Promise<void>;
}

/** Before it is started again: doubled after each end, and reset once it has lived for a minute. */
const againMinMs = 1_000;
const againMaxMs = 30_000;
const livedMs = 60_000;
/** For closing what it began; then it is killed. */
const stopMs = 20_000;
/** For an answer about its metrics: longer, and what reads them would have given up. */
const metricsMs = 3_000;

/**
 * Forks the process that closes seconds, signs the log and settles orders, apart from the one that
 * answers requests: no flood of requests can then delay them (decision 016). It loads its code
 * while the database starts, and waits for `begin`.
 */
export function forkFeed(logger: Logger): FeedProcess {
  const stopping = new AbortController();
  const { signal } = stopping;
  let begun: { task: () => FeedTask; linkBus: (child: ChildProcess) => () => void } | null = null;
  let againMs = againMinMs;
  let current = forkOne();

  function beginIn({ child, ended }: ForkedFeed): void {
    if (!begun) return;
    const unlink = begun.linkBus(child);
    void ended.then(unlink);
    tell(child, { kind: "begin", task: begun.task() });
  }

  function restartAfter({ child, ended }: ForkedFeed): void {
    const startedMs = performance.now();
    void ended.then(async () => {
      if (signal.aborted) return;
      if (performance.now() - startedMs > livedMs) againMs = againMinMs;
      const { exitCode, signalCode } = child;
      logger.error({ exitCode, signalCode, againMs }, "the feed's process ended; starting another");
      await sleep(againMs, undefined, { signal }).catch(() => {});
      againMs = Math.min(againMaxMs, againMs * 2);
      if (signal.aborted) return;
      current = forkOne();
      restartAfter(current);
      beginIn(current);
    });
  }

  restartAfter(current);
  return {
    begin: (task, linkBus) => {
      begun = { task, linkBus };
      beginIn(current);
    },
    metrics: () => askForMetrics(current.child),
    stop: async () => {
      stopping.abort();
      const { child, ended } = current;
      tell(child, { kind: "stop" });
      const timer = setTimeout(() => child.kill("SIGKILL"), stopMs);
      await ended;
      clearTimeout(timer);
    },
  };
}

interface ForkedFeed {
  child: ChildProcess;
  ended: Promise<void>;
}

function forkOne(): ForkedFeed {
  const child = fork(join(import.meta.dirname, "feedMain.ts"), [], {
    execArgv: [],
    // bigint and bytes travel as they are.
    serialization: "advanced",
    // `node --watch` would have this process report its files to its parent, which is us.
    env: {
      ...process.env,
      WATCH_REPORT_DEPENDENCIES: undefined,
      // What main.ts has switched on counts for its own process only.
      NODE_COMPILE_CACHE: getCompileCacheDir(),
    },
  });
  const ended = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });
  return { child, ended };
}

let asked = 0;

function askForMetrics(child: ChildProcess): Promise<ProcessMetrics | null> {
  asked += 1;
  const id = asked;
  return new Promise((resolve) => {
    const settle = (metrics: ProcessMetrics | null) => {
      clearTimeout(timer);
      child.off("message", hear);
      resolve(metrics);
    };
    const hear = (message: Partial<FeedMetrics>) => {
      if (message.kind === "metrics" && message.id === id) settle(message.metrics ?? null);
    };
    const timer = setTimeout(() => settle(null), metricsMs);
    child.on("message", hear);
    tell(child, { kind: "metrics", id });
  });
}

function tell(child: ChildProcess, message: FeedMessage): void {
  if (child.connected) child.send(message, () => {});
}

/** What a feed's process needs of this configuration. */
export function feedTask(config: Config, urls: FeedTask["urls"], clockOffsetMs: number): FeedTask {
  const { tls: _tls, socketUrl: _socketUrl, publicUrl, ...rest } = config;
  return {
    config: { ...rest, services: ["feed"], publicUrl: publicUrl?.href ?? null },
    urls,
    clockOffsetMs,
  };
}
