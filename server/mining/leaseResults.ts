import { sql } from "kysely";
import type { AnswerOf, InputOf } from "#api/call.ts";
import type { getLeaseResults } from "#api/mining.ts";
import { findBreakEvenDay } from "#core/mining/breakEvenDay.ts";
import { computeSatoshiWorth } from "#core/mining/formula.ts";
import { getDayEnd, getLeaseStart } from "#core/mining/lease.ts";
import { formatPusdt } from "#core/money/amount.ts";
import { readIndexAt } from "#server/market/indexAt.ts";
import { readLeases, readReadingAt, toReading } from "#server/mining/store.ts";
import type { LeaseRow, ReadingRow } from "#server/mining/types.ts";
import { formatPbtc, type Moment } from "#server/mining/views.ts";
import type { AppContext } from "#server/platform/context.ts";

type Answer = AnswerOf<typeof getLeaseResults>;

/** Newest first; a person with more sees the rest in the list of leases. */
const leasesMax = 100;

/** An attempt's leases that worked in a span: cost, payouts, and when each breaks even. */
export async function readLeaseResults(
  { database: { db }, world }: AppContext,
  owner: { userId: string; attemptId: string },
  span: InputOf<typeof getLeaseResults>,
  now: Moment,
  modelOf: (row: LeaseRow) => Promise<string>,
): Promise<Answer["items"]> {
  const { rows: ids } = await sql<{ id: string }>`
    select id from mining_lease
    where user_id = ${owner.userId} and attempt_id = ${owner.attemptId}
      and accepted_at_ms <= ${span.to_ms ?? Number.MAX_SAFE_INTEGER}
      and start_ms + days_to_work::bigint * 86400000 >= ${span.from_ms ?? 0}
    order by seq desc limit ${leasesMax}`.execute(db);
  const rows = await readLeases(
    db,
    ids.map(({ id }) => id),
  );
  const prices = await readIndexAt(
    db,
    world,
    rows.map((row) => ({ symbol: "BTC/USDT", atMs: Number(row.accepted_at_ms) })),
  );
  return Promise.all(
    rows.map(async (row, index) => {
      const reading = await readReadingAt(db, Number(row.accepted_at_ms));
      const then = { reading, price: prices[index] ?? null };
      return getResult(row, await modelOf(row), { then, now });
    }),
  );
}

type Figures = Pick<Moment, "price"> & { reading: ReadingRow | null };

function getResult(
  row: LeaseRow,
  model: string,
  { then, now }: { then: Figures; now: Figures },
): Answer["items"][number] {
  const charge = (row.price_per_day + row.power_per_day) * BigInt(row.days);
  const cost = charge - (row.refund_price ?? 0n) - (row.refund_power ?? 0n);
  const times = { acceptedAtMs: Number(row.accepted_at_ms) };
  const fullHashrate = { hashrateGhs: row.hashrate_ghs, poolFeeBp: row.pool_fee_bp };
  const findBreakEvenDate = (
    lease: Parameters<typeof findBreakEvenDay>[0],
    { reading, price }: Figures,
  ) => {
    const day =
      reading && price !== null ? findBreakEvenDay(lease, toReading(reading), price) : null;
    return day === null ? null : getDayEnd(times, day);
  };
  return {
    lease_id: row.id,
    model,
    quantity: row.quantity,
    days: row.days_to_work,
    days_paid: row.days_paid,
    from_ms: getLeaseStart(times),
    to_ms: getDayEnd(times, row.days_to_work),
    paid: formatPusdt(cost),
    mined: formatPbtc(row.mined),
    worth_then: formatPusdt(row.worth),
    worth_now: now.price === null ? null : formatPusdt(computeSatoshiWorth(row.mined, now.price)),
    break_even_then_ms: findBreakEvenDate(
      { ...fullHashrate, days: row.days, cost: charge, daysPaid: 0, mined: 0n },
      then,
    ),
    break_even_now_ms: findBreakEvenDate(
      { ...fullHashrate, days: row.days_to_work, cost, daysPaid: row.days_paid, mined: row.mined },
      now,
    ),
  };
}
