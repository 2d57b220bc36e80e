import { getTransferRecord } from "#api/routes/records.ts";
import { getWalletList } from "#api/routes/wallet.ts";
import { invalidate } from "#web/lib/api/useApiQuery.ts";
import { useStreamEvent } from "#web/lib/stream.ts";

/**
 * Refetches balances and records when the stream says that a posting changed them, or that an
 * operator did something.
 */
export function useBalanceUpdates(): void {
  useStreamEvent("balances", () => {
    void invalidate(getWalletList);
    void invalidate(getTransferRecord);
  });
  useStreamEvent("act", () => void invalidate(getTransferRecord));
}
