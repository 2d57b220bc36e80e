import { useSyncExternalStore } from "react";
import { onStream } from "#web/app/stream.ts";
import type { Second } from "./orders/phase.ts";
import { createSecondStore } from "./secondStore.ts";

const store = createSecondStore();
let listening = false;

/** The seconds of `symbol` that this page has seen, oldest first. The first use begins to listen. */
export function useSeconds(symbol: string): readonly Second[] {
  if (!listening) {
    listening = true;
    onStream("prices", (message) => store.record(message.second_ms, message.prices));
  }
  return useSyncExternalStore(store.subscribe, () => store.of(symbol));
}
