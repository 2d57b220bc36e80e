import {
  findTrusteeshipInfo,
  getDailyEarnings,
  getOrderList,
  getProductList,
} from "#api/routes/hosting.ts";
import { getWalletList } from "#api/routes/wallet.ts";
import { invalidate } from "#web/lib/api/useApiQuery.ts";
import { useStreamEvent } from "#web/lib/stream.ts";

/** Everything that an order of this person changes. */
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

/**
 * Asks again when money of this person moved: no message of the stream tells of an order itself.
 */
export function useHostingUpdates(): void {
  useStreamEvent("balances", () => void refreshHosting());
}

/** Marks come with every world minute; nobody reads figures faster than this. */
export const refetchMs = 10_000;
