import type { AnswerOf } from "#api/call.ts";
import { getKlineData } from "#api/routes/contracts.ts";
import type { Interval } from "#core/market/intervals.ts";
import { client, queryClient } from "#web/lib/api/client.ts";
import { getQueryKey } from "#web/lib/api/useApiQuery.ts";
import { firstPage } from "./history.ts";

/** An answer of this age is used unchanged: the stream has what came since. */
const staleMs = 2_000;

/**
 * The newest bars of a contract. A running read is shared, so the screen can begin it while the
 * chart's code still loads. Rejects with an ApiError.
 */
export function readFirstBars(
  contractId: string,
  interval: Interval,
): Promise<AnswerOf<typeof getKlineData>> {
  const input = { contract_id: contractId, interval, limit: firstPage };
  return queryClient.fetchQuery({
    queryKey: getQueryKey(getKlineData, input),
    queryFn: async ({ signal }) => (await client.call(getKlineData, input, { signal })).data,
    staleTime: staleMs,
  });
}
