import { useSyncExternalStore } from "react";
import { onStream } from "#web/lib/stream.ts";
import type { Second } from "./orders/phase.ts";
import { createSecondStore } from "./secondStore.ts";

const store = createSecondStore();
onStream("prices", (message) => store.record(message.second_ms, message.prices));

/** The seconds of `symbol` that this page has seen, oldest first. */
export function useSeconds(symbol: string): readonly Second[] {
  return useSyncExternalStore(store.subscribe, () => store.of(symbol));
}
