import { type RawBuilder, sql } from "kysely";
import type { AnswerOf, InputOf } from "#api/call.ts";
import type { getOrderResults } from "#api/contracts.ts";
import { computeBinomialTailBp, luckFromOrders } from "#core/contracts/binomialTail.ts";
import { computeBreakEvenOfSums } from "#core/contracts/breakEven.ts";
import type { MarketSymbol } from "#core/market/symbols.ts";
import { formatPusdt } from "#core/money/amount.ts";
import { divideUp } from "#core/money/rounding.ts";
import type { Db } from "#server/platform/db/database.ts";

type Answer = AnswerOf<typeof getOrderResults>;
type Params = Pick<InputOf<typeof getOrderResults>, "from_ms" | "to_ms"> & {
  offset_minutes: number;
};

interface Sums {
  won: bigint;
  lost: bigint;
  tied: bigint;
  voided: bigint;
  stake: bigint;
  profit: bigint;
  decided_fee: bigint;
  fee: bigint;
  net: bigint;
}

/** Steps of the line: more cannot be distinguished on a screen. */
const linePoints = 200;

/** An attempt's orders settled in a span: by market and tier, over time, and by hour. */
export async function readOrderResults(
  db: Db,
  owner: { userId: string; attemptId: string },
  { offset_minutes: offset, ...span }: Params,
): Promise<Answer> {
  const rawBuilder = sql`
    select o.*, c.symbol, payout - stake - fee as net
    from contract_order o join contract c on c.id = o.contract_id
    where o.user_id = ${owner.userId} and o.attempt_id = ${owner.attemptId} and outcome is not null
      and settled_at_ms between ${span.from_ms ?? 0} and ${span.to_ms ?? Number.MAX_SAFE_INTEGER}`;
  const [groups, line, hours] = await Promise.all([
    readGroups(db, rawBuilder),
    readLine(db, rawBuilder),
    readHours(db, rawBuilder, offset),
  ]);
  const total = groups.reduce((sum, group) => add(sum, group), emptySums);
  return {
    total: toSumsView(total),
    groups: groups.map((group) => ({
      contract_id: group.contract_id,
      symbol: group.symbol,
      tier_seconds: group.tier_seconds,
      ...toSumsView(group),
    })),
    line,
    hours,
  };
}

type OwnerCondition = RawBuilder<unknown>;

async function readGroups(db: Db, ownerCondition: OwnerCondition) {
  const { rows } = await sql<
    Sums & { contract_id: string; symbol: MarketSymbol; tier_seconds: number }
  >`
    select contract_id, symbol, tier_seconds,
      count(*) filter (where outcome = 'won') as won,
      count(*) filter (where outcome = 'lost') as lost,
      count(*) filter (where outcome = 'tie') as tied,
      count(*) filter (where outcome = 'void') as voided,
      coalesce(sum(stake) filter (where outcome in ('won', 'lost')), 0)::bigint as stake,
      coalesce(sum(profit) filter (where outcome in ('won', 'lost')), 0)::bigint as profit,
      coalesce(sum(fee) filter (where outcome in ('won', 'lost')), 0)::bigint as decided_fee,
      coalesce(sum(fee) filter (where outcome <> 'void'), 0)::bigint as fee,
      coalesce(sum(net), 0)::bigint as net
    from (${ownerCondition}) own group by contract_id, symbol, tier_seconds
    order by symbol, tier_seconds`.execute(db);
  return rows;
}

async function readLine(db: Db, ownerCondition: OwnerCondition): Promise<Answer["line"]> {
  const { rows } = await sql<{ at_ms: bigint; net: bigint }>`
    with own as (${ownerCondition}), ends as (
      select min(settled_at_ms) as first, max(settled_at_ms) + 1 as last from own
    ), steps as (
      select max(settled_at_ms) as at_ms, sum(net) as net
      from own, ends group by width_bucket(settled_at_ms, first, last, ${linePoints}))
    select at_ms, (sum(net) over (order by at_ms))::bigint as net from steps order by at_ms`.execute(
    db,
  );
  return rows.map(({ at_ms: atMs, net }) => [Number(atMs), formatPusdt(net)]);
}

async function readHours(
  db: Db,
  ownerCondition: OwnerCondition,
  offset: number,
): Promise<Answer["hours"]> {
  const { rows } = await sql<{
    weekday: number;
    hour: number;
    orders: bigint;
    won: bigint;
    decided: bigint;
    net: bigint;
  }>`
    with own as (${ownerCondition}), hours as (
      select (accepted_at_ms / 60000 + ${offset}) / 60 as hour, outcome, net from own)
    -- The first day of the epoch was a Thursday.
    select ((hour / 24 + 3) % 7)::integer as weekday, (hour % 24)::integer as hour,
      count(*) as orders, count(*) filter (where outcome = 'won') as won,
      count(*) filter (where outcome in ('won', 'lost')) as decided, sum(net)::bigint as net
    from hours group by 1, 2 order by 1, 2`.execute(db);
  return rows.map((row) => ({
    weekday: row.weekday,
    hour: row.hour,
    orders: Number(row.orders),
    won: Number(row.won),
    decided: Number(row.decided),
    net: formatPusdt(row.net),
  }));
}

const emptySums: Sums = {
  won: 0n,
  lost: 0n,
  tied: 0n,
  voided: 0n,
  stake: 0n,
  profit: 0n,
  decided_fee: 0n,
  fee: 0n,
  net: 0n,
};

function add(a: Sums, b: Sums): Sums {
  const entries = Object.keys(emptySums).map((name) => {
    const key = name as keyof Sums;
    return [key, a[key] + b[key]];
  });
  return Object.fromEntries(entries) as Sums;
}

function toSumsView(sums: Sums): Answer["total"] {
  const [won, lost] = [Number(sums.won), Number(sums.lost)];
  const decidedCount = won + lost;
  const tieCount = Number(sums.tied);
  const voided = Number(sums.voided);
  const { stake, profit, decided_fee: fee } = sums;
  return {
    orders: decidedCount + tieCount + voided,
    won,
    lost,
    tied: tieCount,
    voided,
    staked: formatPusdt(stake),
    fees: formatPusdt(sums.fee),
    spread: formatPusdt(stake > profit ? divideUp(stake - profit, 2n) : 0n),
    net: formatPusdt(sums.net),
    break_even_bp: computeBreakEvenOfSums({ stake, fee, profit }),
    luck_bp: decidedCount >= luckFromOrders ? computeBinomialTailBp(won, decidedCount) : null,
  };
}

/** Orders won or lost, and their sums in minor units of pUSDT. */
export interface DecidedOrders {
  decided: number;
  won: number;
  stake: bigint;
  fee: bigint;
  profit: bigint;
}

/**
 * Reads the decided orders of these people over all their attempts; people without any are omitted.
 */
export async function readDecidedOrders(
  db: Db,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, DecidedOrders>> {
  const { rows } = await sql<{
    user_id: string;
    decided: bigint;
    won: bigint;
    stake: bigint;
    fee: bigint;
    profit: bigint;
  }>`
    select user_id, count(*) as decided, count(*) filter (where outcome = 'won') as won,
      sum(stake)::bigint as stake, sum(fee)::bigint as fee, sum(profit)::bigint as profit
    from contract_order where user_id = any(${[...userIds]}::text[]) and outcome in ('won', 'lost')
    group by user_id`.execute(db);
  return new Map(
    rows.map(({ user_id: userId, decided, won, ...sums }) => [
      userId,
      { ...sums, decided: Number(decided), won: Number(won) },
    ]),
  );
}
