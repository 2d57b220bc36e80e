import type { Kline } from "#api/contracts.ts";
import { type ChartBar, toBar } from "./bars.ts";

/** Maximum number of bars held: a phone's memory is not for panning further back. */
export const barsMax = 5_000;
/** Number of bars read at first. */
export const firstPage = 300;
const nextPage = 500;

interface Page {
  items: readonly Kline[];
  has_more: boolean;
}

/** Reads a page of klines that open before `beforeMs` (null: up to now). */
export type ReadPage = (
  beforeMs: number | null,
  limit: number,
  signal: AbortSignal,
) => Promise<Page>;

export interface History {
  /** The first bars and whether there are older ones; rejects when they cannot be read. */
  first(): Promise<{ bars: ChartBar[]; more: boolean }>;
  /**
   * Bars before the oldest one held; empty with `more` true when the read failed, so that a later
   * pan retries.
   */
  older(): Promise<{ bars: ChartBar[]; more: boolean }>;
  /** No read in flight settles after this. */
  stop(): void;
}

/**
 * The history of one contract at one interval, page by page. Results always arrive asynchronously,
 * and reads overtaken by `stop` or a new `first` never settle.
 */
export function createHistory(readPage: ReadPage): History {
  let controller = new AbortController();
  let oldestMs: number | null = null;
  let heldCount = 0;

  const readBars = async (beforeMs: number | null, limit: number) => {
    const { signal } = controller;
    const page = await readPage(beforeMs, limit, signal);
    if (signal.aborted) return new Promise<never>(() => {});
    const bars = page.items.filter(([ms]) => beforeMs === null || ms < beforeMs).map(toBar);
    oldestMs = bars[0]?.timestamp ?? oldestMs;
    heldCount += bars.length;
    return { bars, more: page.has_more && bars.length > 0 && heldCount < barsMax };
  };

  return {
    first: () => {
      controller.abort();
      controller = new AbortController();
      oldestMs = null;
      heldCount = 0;
      return readBars(null, firstPage);
    },
    older: async () => {
      const { signal } = controller;
      try {
        return await readBars(oldestMs, Math.min(nextPage, barsMax - heldCount));
      } catch {
        return signal.aborted ? new Promise<never>(() => {}) : { bars: [], more: true };
      }
    },
    stop: () => controller.abort(),
  };
}
