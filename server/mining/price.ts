import type { MiningDeps } from "#server/mining/types.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Tx } from "#server/platform/db/database.ts";

const btc = "BTC/USDT";
/** An index older than this, in real milliseconds, is not a current price. */
const freshMs = 60_000;

/**
 * The index of BTC/USDT at its scale (2) while the last second is fresh; null in a gap or without
 * this market.
 */
export function readPriceNow(
  { clock }: Pick<AppContext, "clock">,
  market: MiningDeps["market"],
): bigint | null {
  const latest = market.latest();
  if (!latest || clock.uncappedMs() - latest.secondMs > freshMs * clock.speed) return null;
  return latest.index[btc];
}

/**
 * The price for publishing: `readPriceNow`, or before the world's first second the last price of its
 * history.
 */
export async function readPriceForPublishing(
  ctx: Pick<AppContext, "clock">,
  market: MiningDeps["market"],
  tx?: Tx,
): Promise<bigint | null> {
  const now = readPriceNow(ctx, market);
  if (now !== null || market.latest() !== null) return now;
  const { items } = await market.klines(btc, "5m", null, 1, tx);
  return items.at(-1)?.close ?? null;
}
