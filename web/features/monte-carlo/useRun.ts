import { useEffect, useState } from "react";
import { createScriptUrl } from "#web/lib/start/createScriptUrl.ts";
import type { JobKind, JobResults, Jobs } from "./jobs.ts";
import workerPath from "./monteCarloWorker.ts?worker&url";

interface FinishedRun<Kind extends JobKind> {
  job: Jobs[Kind];
  answer?: JobResults[Kind];
  hasFailed: boolean;
}

/**
 * Runs a job in a separate worker, so that the page never waits. The last answer stays while the
 * next job runs; `answer` is undefined before the first one.
 */
export function useRun<Kind extends JobKind>(
  kind: Kind,
  job: Jobs[Kind] | null,
): { answer: JobResults[Kind] | undefined; busy: boolean; failed: boolean } {
  const [finished, setFinished] = useState<FinishedRun<Kind> | null>(null);
  useEffect(() => {
    if (!job) return;
    const worker = new Worker(createScriptUrl(workerPath));
    worker.addEventListener("message", ({ data }: MessageEvent<JobResults[Kind]>) =>
      setFinished({ job, answer: data, hasFailed: false }),
    );
    worker.addEventListener("error", () => setFinished({ job, hasFailed: true }));
    worker.postMessage({ kind, job });
    return () => worker.terminate();
  }, [kind, job]);
  const busy = job !== null && finished?.job !== job;
  return { answer: finished?.answer, busy, failed: !busy && finished?.hasFailed === true };
}
