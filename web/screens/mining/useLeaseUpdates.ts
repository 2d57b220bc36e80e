import {
  findLease,
  getOrderList,
  getPayoutList,
  getProductList,
  myMachine,
} from "#api/routes/mining.ts";
import { getWalletList } from "#api/routes/wallet.ts";
import { invalidate } from "#web/lib/api/useApiQuery.ts";
import { useStreamEvent } from "#web/lib/stream.ts";

/** Reads everything that a lease changes again. */
export function refreshLeases(): Promise<unknown> {
  return Promise.all(
    [myMachine, getOrderList, findLease, getPayoutList, getProductList, getWalletList].map(
      invalidate,
    ),
  );
}

/**
 * Keeps leases and payouts on screen as the stream tells of changes; more than it sends one by one
 * come with the balances.
 */
export function useLeaseUpdates(): void {
  useStreamEvent("lease", () => void refreshLeases());
  useStreamEvent("balances", () => void refreshLeases());
}
