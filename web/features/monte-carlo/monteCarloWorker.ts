import { movesOf } from "#core/monte-carlo/moves.ts";
import { runOrders } from "#core/monte-carlo/orders.ts";
import type { Answer, Job } from "./jobs.ts";

function runOf(job: Job): Answer {
  const moves = movesOf(job.klines, job.rule);
  return moves.length === 0 ? null : runOrders({ ...job.order, moves });
}

/** One job for each message; a worker, because a run takes as long as many frames. */
self.addEventListener("message", ({ data: job }: MessageEvent<Job>) => {
  self.postMessage(runOf(job));
});
