import { useSyncExternalStore } from "react";
import { type Coin, isCoin } from "#core/money/coins.ts";
import { displayCurrency } from "#core/wallet/valuation.ts";
import { readStored, store } from "#web/lib/settings.ts";

const key = "wallet.display";
const listeners = new Set<() => void>();
let chosen: Coin | null = null;

function read(): Coin {
  const kept = chosen ?? readStored(key);
  return kept !== null && isCoin(kept) ? kept : displayCurrency;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The coin that worths are shown in; this browser remembers. */
export function useDisplay(): [Coin, (coin: Coin) => void] {
  const display = useSyncExternalStore(subscribe, read);
  return [
    display,
    (coin) => {
      chosen = coin;
      store(key, coin);
      for (const listener of listeners) listener();
    },
  ];
}
