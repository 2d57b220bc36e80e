import { type ChildProcess, fork } from "node:child_process";
import { getCompileCacheDir } from "node:module";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { LinkBus } from "#server/app/connections.ts";
import { splitChannel, type WorldChannels } from "#server/platform/bus/linkedBus.ts";
import type { Config } from "#server/platform/config/config.ts";
import type { Logger } from "#server/platform/logger.ts";
import type { ProcessMetrics } from "#server/platform/metrics/registry.ts";

/** The feed process's task for one world. The parent has already prepared the world. */
export interface FeedTask {
  /** URLs as text; without the TLS key, which the feed does not need. */
  config: Omit<Config, "publicUrl" | "socketUrl" | "tls"> & { publicUrl: string | null };
  urls: { owner: string; app: string };
  /**
   * The parent's clock offset, so that both have the same time even if a clock has been wrong
   * since.
   */
  clockOffsetMs: number;
}

export type FeedMessage =
  | { kind: "begin"; task: FeedTask }
  | { kind: "end"; id: number; world: string }
  | { kind: "metrics"; id: number }
  | { kind: "stop" };

/** The process's answer to the question with the same id. */
export type FeedAnswer =
  | { kind: "metrics"; id: number; metrics: ProcessMetrics[] }
  | { kind: "ended"; id: number };

/** The task of one world and its link to the bus, for each process that works on it. */
interface FeedWork {
  task: () => FeedTask;
  linkBus: LinkBus;
}

export interface FeedProcess {
  /**
   * Adds a world to the process, and to each process that replaces it after a crash. `linkBus`
   * connects each to the world's bus and returns a function that disconnects it.
   */
  begin(world: string, work: FeedWork): void;
  /** Removes a world from the process. */
  end(world: string): Promise<void>;
  /** The metrics of the process by world; none while it does not answer. */
  metrics(): Promise<readonly ProcessMetrics[]>;
  /** Idempotent. */
  stop(): Promise<void>;
}

/**
 * Delay before a restart; doubled after each exit, and reset once a process has run for a minute.
 */
const againMinMs = 1_000;
const againMaxMs = 30_000;
const livedMs = 60_000;
/** Time to finish its work before it is killed. */
const stopMs = 20_000;
/** Time limit for its metrics, shorter than that of the reader. */
const metricsMs = 3_000;

/**
 * Forks the process that closes seconds, signs the log and settles orders. It is separate from the
 * one that answers requests, so that a flood of requests cannot delay it (decision 016). It loads
 * its code while the database starts, and waits for `begin`.
 */
export function forkFeed(logger: Logger): FeedProcess {
  const stopping = new AbortController();
  const { signal } = stopping;
  const begunWorlds = new Map<string, FeedWork>();
  let againMs = againMinMs;
  let current = forkOne();

  function beginIn({ child, channels, unlink }: ForkedFeed, world: string): void {
    const work = begunWorlds.get(world);
    if (!work) return;
    unlink.set(world, work.linkBus(channels(world)));
    sendMessage(child, { kind: "begin", task: work.task() });
  }

  function restartAfter({ child, ended, unlink }: ForkedFeed): void {
    const startedMs = performance.now();
    void ended.then(async () => {
      for (const disconnect of unlink.values()) disconnect();
      if (signal.aborted) return;
      if (performance.now() - startedMs > livedMs) againMs = againMinMs;
      const { exitCode, signalCode } = child;
      logger.error({ exitCode, signalCode, againMs }, "the feed's process ended; starting another");
      await sleep(againMs, undefined, { signal }).catch(() => {});
      againMs = Math.min(againMaxMs, againMs * 2);
      if (signal.aborted) return;
      current = forkOne();
      restartAfter(current);
      for (const world of begunWorlds.keys()) beginIn(current, world);
    });
  }

  restartAfter(current);
  return {
    begin: (world, work) => {
      begunWorlds.set(world, work);
      beginIn(current, world);
    },
    end: async (world) => {
      if (!begunWorlds.delete(world) || signal.aborted) return;
      const { child, ended, unlink } = current;
      const answer = ask(child, (id) => ({ kind: "end", id, world }), stopMs);
      await Promise.race([answer, ended]);
      unlink.get(world)?.();
      unlink.delete(world);
    },
    metrics: async () => {
      const answer = await ask(current.child, (id) => ({ kind: "metrics", id }), metricsMs);
      return answer?.kind === "metrics" ? answer.metrics : [];
    },
    stop: async () => {
      stopping.abort();
      const { child, ended } = current;
      sendMessage(child, { kind: "stop" });
      const timer = setTimeout(() => child.kill("SIGKILL"), stopMs);
      await ended;
      clearTimeout(timer);
    },
  };
}

interface ForkedFeed {
  child: ChildProcess;
  channels: WorldChannels;
  /** The function that disconnects each world's bus from it. */
  unlink: Map<string, () => void>;
  ended: Promise<void>;
}

function forkOne(): ForkedFeed {
  const child = fork(join(import.meta.dirname, "feedMain.ts"), [], {
    execArgv: [],
    // Passes bigint and bytes unchanged.
    serialization: "advanced",
    // `node --watch` would have this process report its files to its parent, which is us.
    env: {
      ...process.env,
      WATCH_REPORT_DEPENDENCIES: undefined,
      // The compile cache that main.ts enables applies to its own process only.
      NODE_COMPILE_CACHE: getCompileCacheDir(),
    },
  });
  const exit = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });
  return { child, channels: splitChannel(child), unlink: new Map(), ended: exit };
}

let signalCount = 0;

/** The answer to a question; null if there is none in time. */
function ask(
  child: ChildProcess,
  question: (id: number) => FeedMessage,
  limitMs: number,
): Promise<FeedAnswer | null> {
  signalCount += 1;
  const id = signalCount;
  return new Promise((resolve) => {
    const settle = (answer: FeedAnswer | null) => {
      clearTimeout(timer);
      child.off("message", onMessage);
      resolve(answer);
    };
    const onMessage = (message: Partial<FeedAnswer> | null) => {
      if (message?.id === id) settle(message as FeedAnswer);
    };
    const timer = setTimeout(() => settle(null), limitMs);
    child.on("message", onMessage);
    sendMessage(child, question(id));
  });
}

function sendMessage(child: ChildProcess, message: FeedMessage): void {
  if (child.connected) child.send(message, () => {});
}

/** The part of this configuration that a feed's process needs. */
export function toFeedTask(
  config: Config,
  urls: FeedTask["urls"],
  clockOffsetMs: number,
): FeedTask {
  const { tls: _tls, socketUrl: _socketUrl, publicUrl, ...rest } = config;
  return {
    config: { ...rest, services: ["feed"], publicUrl: publicUrl?.href ?? null },
    urls,
    clockOffsetMs,
  };
}
