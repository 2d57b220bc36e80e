import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type {
  KlinesAnswer,
  KlinesTask,
  LiveCommand,
  LiveMessage,
  LiveTask,
  VenueListing,
  WatchTask,
} from "#server/market/live/messages.ts";
import type { Logger } from "#server/platform/logger.ts";

const againMinMs = 1_000;
const againMaxMs = 30_000;
const livedMs = 60_000;
/** Time for all venues to list their markets. */
const listMs = 30_000;

/**
 * Forks the live market's process. It may read this program's files and use the network, but cannot
 * write files, start processes or see this process's environment.
 */
function forkLive(): ChildProcess {
  const root = join(import.meta.dirname, "../../..");
  const readablePaths = [...new Set([root, realpathSync(join(root, "node_modules"))])];
  return fork(join(import.meta.dirname, "liveMain.ts"), [], {
    execArgv: [
      "--permission",
      "--allow-net",
      ...readablePaths.map((folder) => `--allow-fs-read=${folder}/*`),
      "--disable-warning=SecurityWarning",
      "--disable-warning=ExperimentalWarning",
    ],
    serialization: "advanced",
    env: {},
  });
}

/** Lists the venues' symbols, in a process that ends afterwards. */
export async function listVenues(task: LiveTask): Promise<VenueListing[]> {
  const child = forkLive();
  try {
    const answer = new Promise<VenueListing[]>((resolve, reject) => {
      child.on("message", (message: LiveMessage) => {
        if (message.kind === "listing") resolve(message.listing);
      });
      child.once("error", reject);
      child.once("exit", () => reject(new Error("the live market's process ended")));
    });
    child.send({ kind: "list", task } satisfies LiveCommand);
    const timeout = sleep(listMs, null, { ref: false }).then(() =>
      task.venues.map((venue) => ({ venue, symbols: null, error: "RequestTimeout" })),
    );
    return await Promise.race([answer, timeout]);
  } finally {
    child.removeAllListeners("exit");
    child.kill("SIGKILL");
  }
}

export interface KlineProcess {
  read(task: KlinesTask): Promise<KlinesAnswer>;
  stop(): void;
}

/** Time for one request, including ccxt's rate limiting; longer than ccxt's own timeout. */
const klinesMs = 60_000;

/** A process that reads klines until it is stopped. */
export function startKlineProcess({ fakeVenues }: Pick<LiveTask, "fakeVenues">): KlineProcess {
  const child = forkLive();
  const pendingCalls = new Map<number, (answer: KlinesAnswer) => void>();
  let lastId = 0;
  const failedAnswer = (error: string): KlinesAnswer => ({ kind: "failed", error, isLimit: false });
  child.on("message", (message: LiveMessage) => {
    if (message.kind === "klines") pendingCalls.get(message.id)?.(message.answer);
  });
  child.once("exit", () => {
    for (const answer of pendingCalls.values())
      answer(failedAnswer("the process that reads klines ended"));
  });
  return {
    read: async (task) => {
      if (child.exitCode !== null) return failedAnswer("the process that reads klines ended");
      lastId += 1;
      const id = lastId;
      const { promise, resolve } = Promise.withResolvers<KlinesAnswer>();
      pendingCalls.set(id, resolve);
      const timer = setTimeout(() => resolve(failedAnswer("no answer in a minute")), klinesMs);
      send(child, { kind: "klines", id, task: { ...task, fakeVenues } });
      return promise.finally(() => {
        clearTimeout(timer);
        pendingCalls.delete(id);
      });
    },
    stop: () => child.kill("SIGKILL"),
  };
}

export interface LiveProcess {
  /** Sets the offset of the world's clock; call it each second. */
  setOffset(offsetMs: number): void;
  /** Idempotent. */
  stop(): Promise<void>;
  /** For tests and health. */
  pid(): number | undefined;
}

/** Runs the live market's process, and restarts it whenever it ends unexpectedly. */
export function startLiveProcess(
  task: () => WatchTask,
  offsetMs: () => number,
  onMessage: (message: LiveMessage) => void,
  logger: Logger,
): LiveProcess {
  const stopping = new AbortController();
  const { signal } = stopping;
  let againMs = againMinMs;
  let current = begin();

  function begin(): ChildProcess {
    const child = forkLive();
    const startedMs = performance.now();
    child.on("message", onMessage);
    child.on("error", (error) => logger.error({ err: error }, "the live market's process failed"));
    const startAgain = async () => {
      await sleep(againMs, undefined, { signal }).catch(() => {});
      againMs = Math.min(againMaxMs, againMs * 2);
      if (!signal.aborted) current = begin();
    };
    child.once("exit", (exitCode, signalCode) => {
      if (signal.aborted) return;
      if (performance.now() - startedMs > livedMs) againMs = againMinMs;
      logger.error(
        { exitCode, signalCode, againMs },
        "the live market's process ended; starting another",
      );
      void startAgain();
    });
    send(child, { kind: "watch", task: task(), offsetMs: offsetMs() });
    return child;
  }

  return {
    setOffset: (value) => send(current, { kind: "clock", offsetMs: value }),
    pid: () => current.pid,
    stop: async () => {
      stopping.abort();
      if (current.exitCode !== null || current.signalCode !== null) return;
      const exit = once(current, "exit");
      current.kill("SIGKILL");
      await exit;
    },
  };
}

function send(child: ChildProcess, message: LiveCommand): void {
  if (child.connected) child.send(message, () => {});
}
