import { type CheckedDay, checkDay, type DayLog } from "#core/market/simulate/checkDay.ts";
import type { Checkpoint, NoteKey } from "#core/transparency-log/checkpoint.ts";
import { verifyEd25519 } from "#web/features/receipt/ed25519.ts";
import {
  createLogReader,
  type LogErrorCode,
  LogReadError,
} from "#web/features/receipt/logReader.ts";
import { type LogView, NotInLogError, toLogView } from "#web/features/receipt/logView.ts";

/** The day to run again: days since 1970, in the log at a checkpoint that is already open. */
export interface DayJob {
  day: number;
  checkpoint: Checkpoint;
  note: string;
  key: NoteKey;
}

export type DayMessage =
  | { kind: "progress"; part: number }
  | { kind: "checked"; checked: CheckedDay | null }
  | { kind: "problem"; problem: LogErrorCode | "leaf_not_in_log" }
  | { kind: "failed" };

/** Leaves read with one reader, which caches everything it reads. */
const keptMax = 32_768;

function createLog({ checkpoint, note, key }: DayJob): DayLog {
  let view: LogView | null = null;
  let readCount = 0;
  return {
    size: checkpoint.size,
    origin: checkpoint.origin,
    leaves: async (firstLeaf, endLeaf) => {
      if (!view || readCount > keptMax) {
        view = toLogView(createLogReader(), checkpoint, note, key);
        readCount = 0;
      }
      readCount += endLeaf - firstLeaf;
      const indexes = Array.from({ length: endLeaf - firstLeaf }, (_, index) => firstLeaf + index);
      const entries = await view.entries(indexes);
      return indexes.map((index) => entries.get(index)!);
    },
  };
}

/** Runs one day again; the page ends the worker to cancel. */
self.addEventListener("message", ({ data: job }: MessageEvent<DayJob>) => {
  const post = (news: DayMessage) => self.postMessage(news);
  const options = {
    verify: verifyEd25519,
    loadVerifyRound: async () => (await import("#web/features/receipt/verifyRound.ts")).verifyRound,
    onProgress: (part: number) => post({ kind: "progress", part }),
  };
  void checkDay(createLog(job), job.day, options).then(
    (checked) => post({ kind: "checked", checked }),
    (error: unknown) => {
      if (error instanceof LogReadError) post({ kind: "problem", problem: error.problem });
      else if (error instanceof NotInLogError)
        post({ kind: "problem", problem: "leaf_not_in_log" });
      else post({ kind: "failed" });
    },
  );
});
