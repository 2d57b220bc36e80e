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

/** Refetches everything that a lease changes. */
export function refreshLeases(): Promise<unknown> {
  return Promise.all(
    [myMachine, getOrderList, findLease, getPayoutList, getProductList, getWalletList].map(
      invalidate,
    ),
  );
}

/**
 * Keeps leases and payouts current from the stream; when more changes than it reports one by one, a
 * balances message covers the rest.
 */
export function useLeaseUpdates(): void {
  useStreamEvent("lease", () => void refreshLeases());
  useStreamEvent("balances", () => void refreshLeases());
}
