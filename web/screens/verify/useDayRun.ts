import { useEffect, useRef, useState } from "react";
import type { CheckedDay } from "#core/market/simulate/checkDay.ts";
import { createScriptUrl } from "#web/lib/start/createScriptUrl.ts";
import type { DayJob, DayMessage } from "#web/screens/verify/dayWorker.ts";
import { openFollowedLog } from "#web/screens/verify/useLog.ts";
import workerPath from "./dayWorker.ts?worker&url";

export type DayRun =
  | { state: "idle" }
  | { state: "running"; part: number }
  | { state: "checked"; checked: CheckedDay | null }
  | { state: "problem"; problem: string }
  | { state: "failed"; cause: unknown };

/** Runs a day of the market again in a worker; leaving the page or `cancel` ends it. */
export function useDayRun() {
  const [run, setRun] = useState<DayRun>({ state: "idle" });
  const worker = useRef<Worker | null>(null);
  const end = () => {
    worker.current?.terminate();
    worker.current = null;
  };
  useEffect(() => () => worker.current?.terminate(), []);
  const start = async (day: number) => {
    end();
    setRun({ state: "running", part: 0 });
    const newWorker = new Worker(createScriptUrl(workerPath));
    worker.current = newWorker;
    const finish = (next: DayRun) => {
      // Cancelled or restarted in the meantime.
      if (worker.current !== newWorker) return;
      end();
      setRun(next);
    };
    newWorker.addEventListener("error", () => finish({ state: "failed", cause: null }));
    try {
      const { followed } = await openFollowedLog();
      if (!followed.ok) return finish({ state: "problem", problem: followed.error });
      newWorker.addEventListener("message", ({ data: news }: MessageEvent<DayMessage>) => {
        if (worker.current !== newWorker) return;
        if (news.kind === "progress") setRun({ state: "running", part: news.part });
        else if (news.kind === "problem") finish({ state: "problem", problem: news.problem });
        else if (news.kind === "failed") finish({ state: "failed", cause: null });
        else finish({ state: "checked", checked: news.checked });
      });
      const { checkpoint, note, key } = followed.view;
      const job: DayJob = { day, checkpoint, note, key };
      newWorker.postMessage(job);
    } catch (error) {
      finish({ state: "failed", cause: error });
    }
  };
  const cancel = () => {
    end();
    setRun({ state: "idle" });
  };
  return { run, start, cancel };
}
