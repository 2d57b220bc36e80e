import { findOrderStatus, getContractDetails, getOrderList } from "#api/routes/contracts.ts";
import { getWalletList } from "#api/routes/wallet.ts";
import { invalidate, updateAllCached } from "#web/lib/api/useApiQuery.ts";
import { useStreamEvent } from "#web/lib/stream.ts";

/**
 * Keeps the orders on screen current from the stream: patches them in place immediately, then
 * refetches the lists they move between.
 */
export function useOrderUpdates(): void {
  useStreamEvent("order", ({ order }) => {
    updateAllCached(getOrderList, (page) => ({
      ...page,
      items: page.items.map((item) => (item.order_id === order.order_id ? order : item)),
    }));
    updateAllCached(findOrderStatus, (cached) =>
      cached.order_id === order.order_id ? order : cached,
    );
    void invalidate(getOrderList);
    if (order.status === "over") void invalidate(getContractDetails);
  });
  useStreamEvent("balances", () => void invalidate(getWalletList));
}
