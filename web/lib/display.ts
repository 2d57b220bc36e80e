import { type Coin, isCoin } from "#core/money/coins.ts";
import { createStore, useStore } from "#ui/createStore.ts";
import { browserStorage } from "#web/lib/storage.ts";

/**
 * The coin in which the server values balances. Defined here because the valuation is not part of
 * the first load.
 */
const first: Coin = "pUSDT";
const storedCoin = browserStorage.read("display");
const display = createStore<Coin>(storedCoin !== null && isCoin(storedCoin) ? storedCoin : first);

function choose(coin: Coin): void {
  browserStorage.write("display", coin);
  display.set(coin);
}

/** The display currency, stored in this browser. */
export function useDisplay(): [Coin, (coin: Coin) => void] {
  return [useStore(display), choose];
}
