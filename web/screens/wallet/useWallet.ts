import { useMemo } from "react";
import { getWalletList } from "#api/routes/wallet.ts";
import type { Balance } from "#api/wallet.ts";
import type { Coin } from "#core/money/coins.ts";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { usePrices } from "#web/lib/stream.ts";
import { readServerWorth, type ValuedBalances, valueBalances } from "./liveWorth.ts";
import { useBalanceUpdates } from "./useBalanceUpdates.ts";

export interface LiveWallet {
  items: readonly Balance[];
  valued: ValuedBalances;
  /** World time of the prices; before the first push that of the server's valuation. */
  pricedAtMs: number | null;
  /** The leaf of the log that holds the prices; null before the first push. */
  leaf: number | null;
}

/**
 * The live wallet: amounts are refetched when the stream reports a posting, and each pushed second
 * is valued here. The total is thus never older than the last closed second, without extra
 * requests.
 */
export function useWallet(display: Coin) {
  const query = useApiQuery(getWalletList, {});
  const prices = usePrices();
  useBalanceUpdates();
  const { data } = query;
  const wallet = useMemo((): LiveWallet | null => {
    if (!data) return null;
    const { items } = data;
    if (prices) {
      const { second_ms: pricedAtMs, leaf } = prices;
      return { items, valued: valueBalances(items, display, prices.prices), pricedAtMs, leaf };
    }
    // Until the first push the server's own valuation is used, in the currency it came in.
    const valuedBalances =
      display === data.display_currency ? readServerWorth(data) : valueBalances(items, display, {});
    return { items, valued: valuedBalances, pricedAtMs: data.priced_at_ms, leaf: null };
  }, [data, display, prices]);
  return { wallet, error: query.error, retry: () => void query.refetch() };
}
