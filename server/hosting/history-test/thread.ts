import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { HistoryJob, PoolHistoryTest } from "#server/hosting/history-test/types.ts";

/** A thread that exceeds this real time or heap size is ended. */
const jobMaxMs = 300_000;
const heapMaxMb = 384;

/**
 * Tests pools in a separate thread and calls `onTest` with each result. Throws if it does not
 * finish, and ends the thread as soon as `signal` aborts.
 */
export async function runInThread(
  job: HistoryJob,
  signal: AbortSignal,
  onTest: (historyTest: PoolHistoryTest) => void,
): Promise<void> {
  signal.throwIfAborted();
  const thread = new Worker(join(import.meta.dirname, "worker.ts"), {
    workerData: job,
    resourceLimits: { maxOldGenerationSizeMb: heapMaxMb },
    env: {},
    execArgv: [],
  });
  const { promise: finished, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(() => reject(new Error("the test took too long")), jobMaxMs);
  const onAbort = () => reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  thread.on("message", onTest);
  thread.on("error", reject);
  thread.on("exit", (code) =>
    code === 0 ? resolve() : reject(new Error(`the thread of a test ended with ${code}`)),
  );
  try {
    await finished;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
    await thread.terminate();
  }
}
