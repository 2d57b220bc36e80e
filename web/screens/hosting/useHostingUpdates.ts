import {
  findTrusteeshipInfo,
  getDailyEarnings,
  getOrderList,
  getProductList,
} from "#api/routes/hosting.ts";
import { getWalletList } from "#api/routes/wallet.ts";
import { invalidate } from "#web/lib/api/useApiQuery.ts";
import { useStreamEvent } from "#web/lib/stream.ts";

/** Refetches everything that an order of this person changes. */
export async function refreshHosting(): Promise<void> {
  const calls = [
    getProductList,
    findTrusteeshipInfo,
    getOrderList,
    getDailyEarnings,
    getWalletList,
  ];
  await Promise.all(calls.map((call) => invalidate(call)));
}

/** Refetches when this person's money moved: the stream has no message for orders themselves. */
export function useHostingUpdates(): void {
  useStreamEvent("balances", () => void refreshHosting());
}

/** Marks come every world minute; no one reads figures faster than this. */
export const refetchMs = 10_000;
