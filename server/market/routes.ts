import { getSeconds, getVenues } from "#api/market.ts";
import type { Market } from "#server/market/market.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { App } from "#server/platform/http/context.ts";
import { route } from "#server/platform/http/route.ts";

export function marketRoutes(
  app: App,
  market: Pick<Market, "seconds" | "leftOut">,
  venues: readonly string[],
): void {
  route(app, getSeconds, async () => {
    const secondCounts = await market.seconds();
    if (!secondCounts) throw new ApiError("server.unavailable");
    const { toMs, day, month, dayLeaf } = secondCounts;
    return { to_ms: toMs, day, month, day_leaf: dayLeaf };
  });
  route(app, getVenues, async () => {
    const rows = market.leftOut();
    return {
      venues: [...venues],
      left_out:
        rows?.map(({ venue, symbol, fault, sinceMs }) => ({
          venue,
          symbol,
          reason: fault,
          since_ms: sinceMs,
        })) ?? null,
    };
  });
}
