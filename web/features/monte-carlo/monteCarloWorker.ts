import { listDayChanges, runLeases } from "#core/monte-carlo/leases.ts";
import { computeMoves } from "#core/monte-carlo/moves.ts";
import { runOrders } from "#core/monte-carlo/orders.ts";
import { runPool } from "#core/monte-carlo/pools.ts";
import type { JobKind, JobResults, Jobs } from "./jobs.ts";

const runs: { [Kind in JobKind]: (job: Jobs[Kind]) => JobResults[Kind] } = {
  orders: ({ klines, rule, order }) => {
    const moves = computeMoves(klines, rule);
    return moves.length === 0 ? null : runOrders({ ...order, moves });
  },
  lease: ({ klines, lease }) => {
    const prices = listDayChanges(klines);
    return prices.length === 0 ? null : runLeases({ ...lease, prices });
  },
  pool: ({ moments, amount, heldMs }) => {
    const frictionless = runPool(moments, "frictionless", amount, heldMs);
    const realistic = runPool(moments, "realistic", amount, heldMs);
    const harsh = runPool(moments, "harsh", amount, heldMs);
    return frictionless && realistic && harsh ? { frictionless, realistic, harsh } : null;
  },
};

function toAnswer<Kind extends JobKind>({ kind, job }: { kind: Kind; job: Jobs[Kind] }) {
  return runs[kind](job);
}

/** Runs one job for each message. It is a worker, because a run takes as long as many frames. */
self.addEventListener("message", ({ data }: MessageEvent<{ kind: JobKind; job: never }>) => {
  self.postMessage(toAnswer(data));
});
