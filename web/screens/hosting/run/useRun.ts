import { useState } from "react";
import type { ApiError } from "#api/client.ts";
import type { Run } from "#api/hosting/run.ts";
import { getRun } from "#api/routes/hosting.ts";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useRunWatch, useStreamEvent } from "#web/lib/stream.ts";

/** Gaps kept for the chart: four minutes of a world at speed 1. */
const pointsMax = 240;
/** Refetch interval while the stream is down or the server has no observation yet. */
const refetchMs = 5_000;

export interface Gap {
  atMs: number;
  /** In basis points, for display; null without two fresh books. */
  gap: number | null;
  needed: number | null;
}

export interface RunView {
  run: Run | null;
  gaps: readonly Gap[];
  error: ApiError | null;
  retry: () => void;
}

/** A strategy's observations, from the stream, and the gaps since this page was opened. */
export function useRun(productId: string): RunView {
  useRunWatch(productId);
  const query = useApiQuery(getRun, { product_id: productId }, { refetchMs });
  const [pushedRun, setPushedRun] = useState<{ run: Run; gaps: readonly Gap[] } | null>(null);
  useStreamEvent("run", ({ run }) => {
    if (run.product_id !== productId) return;
    setPushedRun((last) => {
      if (last && run.at_ms <= last.run.at_ms) return last;
      return { run, gaps: [...(last?.gaps ?? []).slice(1 - pointsMax), computeGap(run)] };
    });
  });
  const first = query.data ?? null;
  const run = pushedRun && (!first || pushedRun.run.at_ms >= first.at_ms) ? pushedRun.run : first;
  return {
    run,
    gaps: pushedRun?.gaps ?? (first ? [computeGap(first)] : []),
    error: query.error,
    retry: () => void query.refetch(),
  };
}

function computeGap(run: Run): Gap {
  return {
    atMs: run.at_ms,
    gap: run.gap_bp === null ? null : Number(run.gap_bp),
    needed: run.threshold_bp === null ? null : Number(run.threshold_bp),
  };
}
