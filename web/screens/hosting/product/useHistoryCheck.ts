import { useEffect, useRef, useState } from "react";
import { followLog } from "#web/features/receipt/checkpointStore.ts";
import { loadCheckDeps } from "#web/features/receipt/loadCheckDeps.ts";
import { createScriptUrl } from "#web/lib/start/createScriptUrl.ts";
import type { HistoryCheck, HistoryCheckJob } from "./historyTestWorker.ts";
import workerPath from "./historyTestWorker.ts?worker&url";

type Job = Omit<HistoryCheckJob, "checkpoint" | "note" | "key">;

/** Runs a pool's test again in a worker of this browser, from the log that it follows. */
export function useHistoryCheck() {
  const [state, setState] = useState<HistoryCheck | "idle" | "busy">("idle");
  const worker = useRef<Worker | null>(null);
  useEffect(() => () => worker.current?.terminate(), []);
  const start = async (job: Job) => {
    setState("busy");
    try {
      const tools = await loadCheckDeps();
      const { reader, servedLog, store, verify, nowMs } = tools;
      const result = await followLog(reader, servedLog, store, verify, nowMs);
      if (!result.ok) return setState("unread");
      const { checkpoint, note, key } = result.view;
      const newWorker = new Worker(createScriptUrl(workerPath));
      worker.current = newWorker;
      newWorker.addEventListener("error", () => setState("unread"));
      newWorker.addEventListener("message", ({ data }: MessageEvent<HistoryCheck>) => {
        newWorker.terminate();
        setState(data);
      });
      newWorker.postMessage({ ...job, checkpoint, note, key } satisfies HistoryCheckJob);
    } catch {
      setState("unread");
    }
  };
  return { state, start };
}
