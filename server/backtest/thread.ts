import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { Job, JobProgress, WorkerMessage } from "#server/backtest/types.ts";

export type JobResult =
  | Exclude<WorkerMessage, JobProgress>
  | { kind: "cancelled" | "too_long" | "failed" };

export interface Thread {
  ended: Promise<JobResult>;
  cancel(): void;
}

/** A job that exceeds this real time or heap size is ended. */
export const jobMaxMs = 180_000;
const heapMaxMb = 384;

/** Starts a thread for one job. Never throws: failures are reported through `ended`. */
export function startThread(
  job: Job,
  onProgress: (message: JobProgress) => void = () => {},
): Thread {
  const { promise, resolve } = Promise.withResolvers<JobResult>();
  const thread = openThread(job);
  if (!thread) return { ended: Promise.resolve({ kind: "failed" }), cancel: () => {} };
  const end = (result: JobResult) => {
    clearTimeout(timer);
    resolve(result);
    void thread.terminate();
  };
  const timer = setTimeout(() => end({ kind: "too_long" }), jobMaxMs);
  thread.on("message", (message: WorkerMessage) => {
    if (message.kind === "progress") onProgress(message);
    else end(message);
  });
  thread.on("error", () => end({ kind: "failed" }));
  thread.on("exit", () => end({ kind: "failed" }));
  return { ended: promise, cancel: () => end({ kind: "cancelled" }) };
}

/** Null if no thread can be started: too little memory, or a job that cannot be copied to it. */
function openThread(job: Job): Worker | null {
  try {
    return new Worker(join(import.meta.dirname, "worker.ts"), {
      workerData: job,
      resourceLimits: { maxOldGenerationSizeMb: heapMaxMb },
      env: {},
      execArgv: [],
    });
  } catch {
    return null;
  }
}
