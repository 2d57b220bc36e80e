import { sql } from "kysely";
import type { InstanceView } from "#api/operator/instance.ts";
import { formatDecimal } from "#core/money/decimal.ts";
import { dayMs, hourMs } from "#core/money/time.ts";
import { decodeSecond, type SecondLeaf } from "#core/transparency-log/secondLeaf.ts";
import { decodeWorld, type WorldLeaf } from "#core/transparency-log/worldLeaf.ts";
import type { Market } from "#server/market/market.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { TransparencyLog } from "#server/transparency-log/transparencyLog.ts";

type MarketView = InstanceView["market"];

/** How many of the log's last seconds are read for the venues' quotes. */
const scannedSeconds = 60;

export interface HourGaps {
  hour_ms: number;
  expected: number;
  missing: number;
}

/** The world leaf never changes, and is the first of the log. */
export function readWorldLeaf(transparencyLog: TransparencyLog): () => Promise<WorldLeaf | null> {
  let cachedWorld: WorldLeaf | null = null;
  return async () => {
    if (cachedWorld) return cachedWorld;
    const [first] = await transparencyLog.leaves(0, 1);
    const world = first && decodeWorld(first.bytes);
    cachedWorld = world?.ok ? world.value : null;
    return cachedWorld;
  };
}

/** Venues and index as in the log's last seconds: from any process, and only public figures. */
export async function readMarket(
  ctx: AppContext,
  market: Market,
  world: WorldLeaf | null,
): Promise<Omit<MarketView, "gaps">> {
  const { rows } = await sql<{ bytes: Buffer }>`
    select l.bytes from (select leaf from market_second order by second_ms desc limit ${scannedSeconds}) s
      join log_leaf l using (leaf) order by l.leaf desc`.execute(ctx.database.db);
  const seconds = rows.flatMap(({ bytes }) => {
    const second = decodeSecond(new Uint8Array(bytes), null);
    return second.ok ? [second.value] : [];
  });
  const nulls = await readIndexGaps(ctx);
  return {
    latest_second_ms: seconds[0]?.secondMs ?? null,
    feed_lag_ms: market.lagMs(),
    looked_at: seconds.length,
    venues: world ? world.venues.map((name, index) => findVenue(world, name, index, seconds)) : [],
    index: world ? findIndex(ctx, world, seconds[0] ?? null, nulls) : [],
  };
}

function findVenue(
  world: WorldLeaf,
  name: string,
  index: number,
  seconds: readonly SecondLeaf[],
): MarketView["venues"][number] {
  const quoted = (second: SecondLeaf | undefined) =>
    second?.quotes[index]?.filter((quote) => quote !== null).length ?? 0;
  return {
    name,
    listed: world.symbols.filter(({ venues }) => venues.includes(name)).length,
    fresh: quoted(seconds[0]),
    last_quote_ms: seconds.find((second) => quoted(second) > 0)?.secondMs ?? null,
  };
}

function findIndex(
  { world: { symbols } }: AppContext,
  world: WorldLeaf,
  second: SecondLeaf | null,
  nulls: ReadonlyMap<string, number>,
): MarketView["index"] {
  return world.symbols.flatMap(({ name, scale, venues }, column) => {
    const symbol = symbols.find((symbol) => symbol === name);
    if (!symbol) return [];
    const value = second?.index[column] ?? null;
    const freshCount = second?.quotes.filter((row) => (row[column] ?? null) !== null).length ?? 0;
    return [
      {
        symbol,
        price: value === null ? null : formatDecimal(value, scale, true),
        venues: venues.length,
        fresh: freshCount,
        gaps_hour: nulls.get(name) ?? 0,
      },
    ];
  });
}

/** Seconds of the last world hour in which a symbol had no index. Reads at most 3 600 rows. */
async function readIndexGaps({ database, clock, world }: AppContext): Promise<Map<string, number>> {
  const { rows } = await sql<{ place: bigint; missing: bigint }>`
    select v.place, count(*) as missing
    from market_second s, unnest(s.index) with ordinality v (value, place)
    where s.second_ms > ${clock.nowMs() - hourMs} and v.value is null group by v.place`.execute(
    database.db,
  );
  return new Map(
    rows.map(({ place, missing }) => [world.symbols[Number(place) - 1] ?? "", Number(missing)]),
  );
}

/**
 * Missing seconds by world hour over the last world day. An hour that is over never changes and is
 * counted once per process: at first at most 86 400 index entries, then one hour's worth at a time.
 */
export function createGaps({ database, clock }: Pick<AppContext, "database" | "clock">) {
  let cachedCounts = new Map<number, number>();
  return async (firstSecondMs: number | null): Promise<HourGaps[]> => {
    const toMs = countedUntilMs(clock);
    const fromMs = Math.max(firstSecondMs ?? toMs, toMs - dayMs);
    if (toMs <= fromMs) return [];
    const hours = splitHours(fromMs, toMs);
    // The first hour is cut off by the start of the day; the last is not over.
    const isWhole = (span: Span) => span.toMs - span.fromMs === hourMs;
    const wholeHours = hours.filter(isWhole);
    const spans = hours.filter((span) => !isWhole(span) || !cachedCounts.has(span.hour));
    const countsByHour = await countSeconds(database.db, spans);
    const counts = new Map([...cachedCounts, ...countsByHour]);
    cachedCounts = new Map(wholeHours.map(({ hour }) => [hour, counts.get(hour) ?? 0]));
    return hours.map(({ hour, fromMs: from, toMs: to }) => {
      const expected = (to - from) / 1000;
      const missingSeconds = Math.max(0, expected - (counts.get(hour) ?? 0));
      return { hour_ms: hour * hourMs, expected, missing: missingSeconds };
    });
  };
}

/** The second being closed is not missing yet, nor are those that may still come. */
function countedUntilMs(clock: AppContext["clock"]): number {
  return Math.floor(clock.nowMs() / 1000) * 1000 - 10_000 * clock.speed;
}

interface Span {
  hour: number;
  fromMs: number;
  toMs: number;
}

function splitHours(fromMs: number, toMs: number): Span[] {
  const spans: Span[] = [];
  for (let hour = Math.floor(fromMs / hourMs); hour * hourMs < toMs; hour += 1) {
    spans.push({
      hour,
      fromMs: Math.max(fromMs, hour * hourMs),
      toMs: Math.min(toMs, (hour + 1) * hourMs),
    });
  }
  return spans;
}

async function countSeconds(db: AppContext["database"]["db"], spans: readonly Span[]) {
  const { rows } = await sql<{ hour: bigint; found: bigint }>`
    select s.hour, (select count(*) from market_second m where m.second_ms >= s.from_ms and m.second_ms < s.to_ms) as found
    from unnest(${spans.map(({ hour }) => hour)}::bigint[], ${spans.map(({ fromMs }) => fromMs)}::bigint[],
      ${spans.map(({ toMs }) => toMs)}::bigint[]) s (hour, from_ms, to_ms)`.execute(db);
  return new Map(rows.map(({ hour, found }) => [Number(hour), Number(found)]));
}

/** The same sums for the last world hour and for the day. */
export async function readGapSums(
  { database, clock }: AppContext,
  firstSecondMs: number | null,
  byHour: readonly HourGaps[],
): Promise<MarketView["gaps"]> {
  const day = byHour.reduce(
    (all, { expected, missing }) => ({
      expected: all.expected + expected,
      missing: all.missing + missing,
    }),
    { expected: 0, missing: 0 },
  );
  const toMs = countedUntilMs(clock);
  const fromMs = Math.max(firstSecondMs ?? toMs, toMs - hourMs);
  if (toMs <= fromMs) return { hour: { expected: 0, missing: 0 }, day };
  const countsByHour = await countSeconds(database.db, [{ hour: 0, fromMs, toMs }]);
  const expected = (toMs - fromMs) / 1000;
  return { hour: { expected, missing: Math.max(0, expected - (countsByHour.get(0) ?? 0)) }, day };
}
