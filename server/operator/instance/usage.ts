import { sql } from "kysely";
import type { InstanceHistory } from "#api/operator/instance.ts";
import { dayMs, toRealDay } from "#core/money/time.ts";
import type { AppContext } from "#server/platform/context.ts";

/** Days shown, and the most that are counted in arrears. */
const daysShown = 30;
/**
 * A day is counted for the last time this long after its end, when everything done in its last
 * moment has been committed.
 */
const settledMs = 600_000;

/** Counts of each domain in a time span; the start is inclusive, the end exclusive. */
export interface UsageDeps {
  session: { countAccounts(fromRealMs: number, toRealMs: number): Promise<number> };
  contracts: {
    countAccepted(fromWorldMs: number, toWorldMs: number): Promise<number>;
    countSettled(fromRealMs: number, toRealMs: number): Promise<number>;
  };
  withdraw: { countPlaced(fromRealMs: number, toRealMs: number): Promise<number> };
}

/**
 * Counts use by real day (UTC): accounts created, orders accepted and settled, withdrawals
 * requested. Numbers only. Called each minute; today is recounted each time, a day that is over
 * once more and then never again. Each count reads one day.
 */
export async function countUsage(ctx: AppContext, deps: UsageDeps): Promise<number> {
  const { database, realClock, world } = ctx;
  const nowMs = realClock.nowMs();
  const today = toRealDay(nowMs);
  const first = Math.max(toRealDay(world.createdAtMs), today - daysShown + 1);
  const { rows } = await sql<{ day: number }>`
    select d.day from generate_series(${first}::integer, ${today}::integer) d (day)
      left join instance_day k on k.day = d.day
    where k.day is null or k.counted_at_ms < (d.day + 1) * ${dayMs}::bigint + ${settledMs}`.execute(
    database.db,
  );
  for (const { day } of rows) await countDay(ctx, deps, day, nowMs);
  return rows.length;
}

async function countDay(
  { database, world }: AppContext,
  { session, contracts, withdraw }: UsageDeps,
  day: number,
  nowMs: number,
): Promise<void> {
  const { speed } = world.market;
  const fromMs = day * dayMs;
  const toMs = fromMs + dayMs;
  // Orders are accepted in world time, a straight line through the world's creation.
  const worldAt = (realMs: number) => world.startMs + (realMs - world.createdAtMs) * speed;
  const accounts = await session.countAccounts(fromMs, toMs);
  const orders = await contracts.countAccepted(worldAt(fromMs), worldAt(toMs));
  const settledCount = await contracts.countSettled(fromMs, toMs);
  const withdrawals = await withdraw.countPlaced(fromMs, toMs);
  await sql`
    insert into instance_day (day, accounts, orders, settled, withdrawals, counted_at_ms)
    values (${day}, ${accounts}, ${orders}, ${settledCount}, ${withdrawals}, ${nowMs})
    on conflict (day) do update set accounts = excluded.accounts, orders = excluded.orders, settled = excluded.settled,
      withdrawals = excluded.withdrawals, counted_at_ms = excluded.counted_at_ms`.execute(
    database.db,
  );
}

export async function readUsageDays({
  database,
  realClock,
}: Pick<AppContext, "database" | "realClock">): Promise<InstanceHistory["use"]> {
  const today = toRealDay(realClock.nowMs());
  const { rows } = await sql<{
    day: number;
    accounts: bigint;
    orders: bigint;
    settled: bigint;
    withdrawals: bigint;
    counted_at_ms: bigint;
  }>`select * from instance_day where day > ${today - daysShown} order by day`.execute(database.db);
  return rows.map((row) => ({
    day_ms: row.day * dayMs,
    accounts: Number(row.accounts),
    orders: Number(row.orders),
    settled: Number(row.settled),
    withdrawals: Number(row.withdrawals),
    counted_ms: Number(row.counted_at_ms),
  }));
}
