import { createStore } from "#ui/createStore.ts";
import type { PriceMismatch, PushedPrices } from "#web/features/receipt/priceSample.ts";
import type { MessageOf } from "#web/lib/stream.ts";
import { onStream } from "#web/lib/stream.ts";

/** One message is compared with the log shortly after the first price, then at this interval. */
const firstAfterMs = 20_000;
const everyMs = 5 * 60_000;
/** The log may take ten seconds to cover a leaf; one still missing after this delay is late. */
const coveredAfterMs = 12_000;

export type WatchState =
  | { state: "waiting"; compared: number }
  | { state: "agrees"; compared: number; secondMs: number }
  | { state: "differs"; compared: number; difference: PriceMismatch };

/** How the prices pushed to this page compare with the log. */
export const priceWatch = createStore<WatchState>({ state: "waiting", compared: 0 });
let hasStarted = false;

/**
 * From now on compares a sample of the pushed prices with the log, in the background. `report` is
 * called at most once, with the first difference; a check that fails for lack of a connection is
 * skipped until the next sample. Starts only once, however often it is called.
 */
export function watchPrices(report: (difference: PriceMismatch) => void): void {
  if (hasStarted) return;
  hasStarted = true;
  let nextAtMs = performance.now() + firstAfterMs;
  onStream("prices", (message: MessageOf<"prices">) => {
    if (performance.now() < nextAtMs || priceWatch.read().state === "differs") return;
    nextAtMs = performance.now() + everyMs;
    window.setTimeout(() => void compare(message, report), coveredAfterMs);
  });
}

async function compare(
  message: PushedPrices,
  report: (difference: PriceMismatch) => void,
): Promise<void> {
  try {
    // Loaded only here, so that the first screen does not wait for the checking code.
    const [{ loadCheckDeps }, { followLog }, { comparePrices }] = await Promise.all([
      import("#web/features/receipt/loadCheckDeps.ts"),
      import("./checkpointStore.ts"),
      import("#web/features/receipt/priceSample.ts"),
    ]);
    const { reader, servedLog, store, verify, nowMs } = await loadCheckDeps();
    const result = await followLog(reader, servedLog, store, verify, nowMs);
    if (!result.ok || result.view.checkpoint.size <= message.leaf) return;
    const difference = await comparePrices(result.view, message);
    const comparedCount = priceWatch.read().compared + 1;
    if (difference) {
      priceWatch.set({ state: "differs", compared: comparedCount, difference });
      report(difference);
    } else
      priceWatch.set({ state: "agrees", compared: comparedCount, secondMs: message.second_ms });
  } catch {
    // No connection, or an unreadable log: the receipt check reports that when used.
  }
}
