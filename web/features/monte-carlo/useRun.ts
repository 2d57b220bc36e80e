import { useEffect, useState } from "react";
import { trustedScript } from "#web/lib/start/trustedScript.ts";
import type { Answer, Job } from "./jobs.ts";
import workerPath from "./monteCarloWorker.ts?worker&url";

interface Finished {
  job: Job;
  answer?: Answer;
  failed: boolean;
}

/**
 * Runs a job in a worker of its own, so that the page never waits. While the next job runs, the
 * last answer stays; `answer` is undefined before the first.
 */
export function useRun(job: Job | null): {
  answer: Answer | undefined;
  busy: boolean;
  failed: boolean;
} {
  const [finished, setFinished] = useState<Finished | null>(null);
  useEffect(() => {
    if (!job) return;
    const worker = new Worker(trustedScript(workerPath));
    worker.addEventListener("message", ({ data }: MessageEvent<Answer>) =>
      setFinished({ job, answer: data, failed: false }),
    );
    worker.addEventListener("error", () => setFinished({ job, failed: true }));
    worker.postMessage(job);
    return () => worker.terminate();
  }, [job]);
  const busy = job !== null && finished?.job !== job;
  return { answer: finished?.answer, busy, failed: !busy && finished?.failed === true };
}
