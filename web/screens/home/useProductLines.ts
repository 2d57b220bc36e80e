import { findAccountAndRate } from "#api/routes/records.ts";
import { useSession } from "#web/features/session/useSession.ts";
import { invalidate, useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useStreamEvent } from "#web/lib/stream.ts";

/**
 * A line's value moves with prices, so its figures are refetched at this interval while on screen.
 */
const refetchMs = 30_000;

/**
 * The person's product lines: what is in each, and its result today and in total. One request for
 * the whole screen.
 */
export function useProductLines() {
  const { status } = useSession();
  useStreamEvent("balances", () => {
    void invalidate(findAccountAndRate);
  });
  return useApiQuery(findAccountAndRate, {}, { enabled: status === "signed_in", refetchMs });
}
