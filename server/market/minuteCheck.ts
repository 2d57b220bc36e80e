import { sql } from "kysely";
import { minuteMs } from "#core/money/time.ts";
import type { ReportFinding } from "#server/ledger/audit/replay.ts";
import type { Tx } from "#server/platform/db/database.ts";

/** A second as it is stored: by symbol, in the world's order. */
export interface StoredTicks {
  secondMs: number;
  index: readonly (bigint | string | null)[];
  volume: readonly (bigint | string | null)[];
}

interface Kline {
  open: bigint;
  high: bigint;
  low: bigint;
  close: bigint;
  volume: bigint;
}

/** Minutes compared per run. */
const minutesMax = 60;

/**
 * Folds seconds, given in ascending order, into klines of a minute, and compares these with the
 * stored ones, once the minute is over and while all of its seconds are still stored.
 */
export async function startMinuteCheck(tx: Tx, report: ReportFinding) {
  const { rows } = await sql<{ names: string[]; lo: bigint | null; hi: bigint | null }>`
    select array(select e.value ->> 'name' from world,
        json_array_elements(world.symbols) with ordinality e (value, place) order by place) as names,
      (select greatest(m.first_second_ms, (select min(second_ms) from market_second)) + ${minuteMs}
        from market_state m) as lo,
      (select klines_until_ms from market_state) as hi`.execute(tx);
  const { names, lo, hi } = rows[0]!;
  const fromMs = lo === null ? 0 : Number(lo) - (Number(lo) % minuteMs);
  const toMs = Number(hi ?? 0);
  let computed = new Map<string, Kline>();
  let comparedMs = fromMs;
  const compareUpTo = async (endMs: number) => {
    const { rows: storedKlines } = await sql<Kline & { symbol: string; open_ms: bigint }>`
      select symbol, open_ms, open, high, low, close, volume from kline
      where interval = '1m' and open_ms >= ${comparedMs} and open_ms < ${endMs}`.execute(tx);
    for (const { symbol, open_ms: openMs, ...kline } of storedKlines) {
      const key = `${symbol} 1m at ${openMs}`;
      const ownKline = computed.get(key);
      if (!ownKline || !isSame(ownKline, kline))
        report("market.kline", `${key} is not what its seconds give`);
      computed.delete(key);
    }
    for (const key of computed.keys()) report("market.kline", `${key} is missing`);
    computed = new Map();
    comparedMs = endMs;
  };
  return {
    add: async ({ secondMs, index, volume }: StoredTicks) => {
      const openMs = secondMs - (secondMs % minuteMs);
      if (openMs < fromMs || openMs >= toMs) return;
      if (openMs >= comparedMs + minutesMax * minuteMs) await compareUpTo(openMs);
      for (const [position, text] of index.entries()) {
        if (text === null || names[position] === undefined) continue;
        fold(
          computed,
          `${names[position]} 1m at ${openMs}`,
          BigInt(text),
          BigInt(volume[position] ?? 0),
        );
      }
    },
    end: () => compareUpTo(Math.max(comparedMs, toMs)),
  };
}

function fold(klines: Map<string, Kline>, key: string, value: bigint, volume: bigint): void {
  const kline = klines.get(key);
  if (!kline) {
    klines.set(key, { open: value, high: value, low: value, close: value, volume });
    return;
  }
  if (value > kline.high) kline.high = value;
  if (value < kline.low) kline.low = value;
  kline.close = value;
  kline.volume += volume;
}

const isSame = (kline: Kline, other: Kline): boolean =>
  kline.open === other.open &&
  kline.high === other.high &&
  kline.low === other.low &&
  kline.close === other.close &&
  kline.volume === other.volume;
