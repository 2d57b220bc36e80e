import type { StreamMessage } from "#api/stream.ts";
import { toContractId } from "#core/contracts/terms.ts";
import { type Kline, volumeScale } from "#core/market/kline.ts";
import { type MarketSymbol, symbols } from "#core/market/symbols.ts";
import { formatDecimal } from "#core/money/decimal.ts";
import type { LatestSecond, Market } from "#server/market/market.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { StreamHub } from "#server/platform/http/stream.ts";

type PushHub = Pick<StreamHub, "broadcast" | "toWatchers" | "watched">;

/** Minimum real time between two price messages, however fast the world runs. */
const restMs = 100;

/**
 * Broadcasts each closed second's prices, sends open 1m klines to those who watch them, and at a
 * recording's end broadcasts that the world is paused. Seconds that close together or in quick
 * succession, as in a fast world, become one message with the last of them. Returns the function
 * that stops it.
 */
export function startPush(
  ctx: Pick<AppContext, "bus" | "clock" | "logger" | "realClock" | "world">,
  { market, hub }: { market: Market; hub: PushHub },
): () => void {
  let pendingSecond: LatestSecond | null = null;
  let timer: NodeJS.Timeout | null = null;
  let sentMs = Number.NEGATIVE_INFINITY;
  const send = () => {
    timer = null;
    sentMs = ctx.realClock.nowMs();
    hub.broadcast(JSON.stringify(priceMessage(pendingSecond as LatestSecond, ctx.world.symbols)));
    pushKlines(market, hub).catch((error: unknown) => {
      ctx.logger.error({ err: error }, "pushing open klines failed");
    });
  };
  const forget = ctx.bus.subscribe("second.closed", (second) => {
    if (ctx.clock.endMs !== null && second.secondMs > ctx.clock.endMs) {
      const paused: StreamMessage = { topic: "world", paused: true };
      hub.broadcast(JSON.stringify(paused));
      return;
    }
    pendingSecond = second as LatestSecond;
    const leftMs = sentMs + restMs - ctx.realClock.nowMs();
    // Clamped on both sides: a clock that was set back must not silence the stream.
    timer ??= setTimeout(send, Math.min(restMs, Math.max(0, leftMs)));
  });
  return () => {
    forget();
    if (timer) clearTimeout(timer);
  };
}

/** The price message of a closed second, as described in api/stream.ts. */
function priceMessage(
  second: LatestSecond,
  names: readonly MarketSymbol[],
): Extract<StreamMessage, { topic: "prices" }> {
  const prices: Record<string, string | null> = {};
  for (const name of names) {
    const value = second.index[name];
    prices[name] = value === null ? null : formatDecimal(value, symbols[name].scale, true);
  }
  return { topic: "prices", second_ms: second.secondMs, leaf: second.leaf, prices };
}

async function pushKlines(market: Market, hub: PushHub): Promise<void> {
  const watchedSymbols = new Set(hub.watched("klines"));
  if (watchedSymbols.size === 0) return;
  for (const [symbol, kline] of await market.openKlines()) {
    const contractId = toContractId(symbol);
    if (!watchedSymbols.has(contractId)) continue;
    hub.toWatchers("klines", contractId, {
      topic: "kline",
      contract_id: contractId,
      kline: klineTuple(symbol, kline),
    });
  }
}

/** A kline as the wire has it: opening time, then open, high, low, close and volume as decimals. */
export function klineTuple(
  symbol: MarketSymbol,
  kline: Kline,
): [number, string, string, string, string, string] {
  const price = (value: bigint) => formatDecimal(value, symbols[symbol].scale, true);
  return [
    kline.openMs,
    price(kline.open),
    price(kline.high),
    price(kline.low),
    price(kline.close),
    formatDecimal(kline.volume, volumeScale),
  ];
}
