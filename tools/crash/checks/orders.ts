import { sql } from "kysely";
import type { Database } from "#server/platform/db/database.ts";
import type { AcknowledgedChange } from "../record.ts";
import type { CrashReport } from "./types.ts";

interface OrderRow {
  id: string;
  user_id: string;
  hash: string;
  charged: bigint;
  outcome: string | null;
}

/** The order in the acknowledged answer. */
interface PlacedOrder {
  order_id: string;
  order_hash: string;
  accepted_at_ms: number;
}

const getPlaced = ({ lastingFields }: AcknowledgedChange) =>
  JSON.parse(lastingFields) as PlacedOrder;

/** Compares the orders in the database with those acknowledged to `traders`. */
export async function checkOrders(
  database: Database,
  record: readonly AcknowledgedChange[],
  traders: readonly string[],
  report: CrashReport,
): Promise<void> {
  const { rows } = await sql<OrderRow>`
    select id, user_id, encode(order_hash, 'hex') as hash, stake + fee as charged, outcome
    from contract_order`.execute(database.db);
  const orders = new Map(rows.map((row) => [row.id, row]));
  const acknowledged = record.filter(({ kind }) => kind === "order");
  for (const { outcome } of rows) {
    const name = outcome ?? "open";
    report.outcomes[name] = (report.outcomes[name] ?? 0) + 1;
  }
  report.losses.push(
    ...acknowledged.flatMap((acknowledgedChange) =>
      listLosses(acknowledgedChange, orders.get(getPlaced(acknowledgedChange).order_id)),
    ),
  );
  const keys = new Set(acknowledged.map(({ key }) => key));
  const answeredOrders = new Set(
    acknowledged.map((acknowledgedChange) => getPlaced(acknowledgedChange).order_id),
  );
  if (keys.size !== answeredOrders.size || answeredOrders.size !== acknowledged.length)
    report.duplicates.push(
      `${acknowledged.length} keys were answered with ${answeredOrders.size} orders`,
    );
  report.imbalances.push(
    ...(await findWrongBalances(database, traders)),
    ...(await findWrongSettlements(database)),
    ...(await findWrongSums(database)),
  );
  report.lateAnswers = await countAnsweredLate(database, acknowledged);
}

function listLosses(acknowledged: AcknowledgedChange, order: OrderRow | undefined): string[] {
  const { order_id: id, order_hash: hash } = getPlaced(acknowledged);
  if (!order) return [`order ${id} was acknowledged and is missing`];
  const chargedAmount = String(-BigInt(acknowledged.balanceChanges?.pUSDT ?? 0));
  const isSame =
    order.hash === hash &&
    order.user_id === acknowledged.userId &&
    String(order.charged) === chargedAmount;
  return isSame ? [] : [`order ${id} differs from what was acknowledged`];
}

/**
 * Compares each trader's wallet with the balance its orders imply: the starting amount, less what
 * they cost, plus what they paid.
 */
async function findWrongBalances({ db }: Database, traders: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: bigint; balance: bigint; expected: bigint }>`
    select a.id, a.balance, 10000000000 + coalesce(o.result, 0) as expected
    from account a left join (
      select account, sum(coalesce(payout, 0) - stake - fee)::bigint as result from contract_order group by account
    ) o on o.account = a.id
    where a.kind = 'wallet' and a.coin = 'pUSDT' and not a.house and a.owner = any(${traders})
      and a.balance <> 10000000000 + coalesce(o.result, 0)`.execute(db);
  return rows.map(
    ({ id, balance, expected }) => `account ${id} has ${balance}; its orders imply ${expected}`,
  );
}

/** Each order is charged once and, if it pays, paid once; an unsettled order is not paid. */
async function findWrongSettlements({ db }: Database): Promise<string[]> {
  const { rows } = await sql<{ id: string; paid: bigint; times: bigint; charges: bigint }>`
    select o.id, coalesce(p.paid, 0)::bigint as paid, coalesce(p.times, 0) as times, coalesce(c.charges, 0) as charges
    from contract_order o
      left join (
        select e.about, sum(e.amount) as paid, count(*) as times from entry e join journal j on j.id = e.journal_id
        where j.kind = 'contract.settle' and e.about is not null group by e.about
      ) p on p.about = o.id::text
      left join (
        select j.id, count(*) as charges from journal j join entry e on e.journal_id = j.id
        where j.kind = 'contract.open' and e.version is not null group by j.id
      ) c on c.id = o.id
    where coalesce(p.paid, 0) <> coalesce(o.payout, 0) or coalesce(p.times, 0) <> (coalesce(o.payout, 0) > 0)::int
      or c.charges is distinct from 1`.execute(db);
  const { rows: alone } = await sql<{ id: string }>`
    select j.id from journal j where j.kind = 'contract.open'
      and not exists (select from contract_order o where o.id = j.id)`.execute(db);
  return [
    ...rows.map(
      ({ id, paid, times, charges }) =>
        `order ${id} was charged ${charges} times and paid ${paid} in ${times} parts`,
    ),
    ...alone.map(({ id }) => `journal ${id} charged for a missing order`),
  ];
}

/** The exposure and counters of each contract match its orders. */
async function findWrongSums({ db }: Database): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select c.id from contract c
      left join ledger_limit l on l.key = 'contracts.exposure:' || c.id
      left join (
        select contract_id, coalesce(sum(profit) filter (where settled_at_ms is null), 0) as exposure,
          count(*) filter (where outcome = 'won') as won, count(*) filter (where outcome = 'lost') as lost,
          count(*) filter (where outcome = 'tie') as tied, count(*) filter (where outcome = 'void') as voided
        from contract_order group by contract_id
      ) o on o.contract_id = c.id
    where coalesce(l.used, 0) <> coalesce(o.exposure, 0) or c.won <> coalesce(o.won, 0) or c.lost <> coalesce(o.lost, 0)
      or c.tied <> coalesce(o.tied, 0) or c.voided <> coalesce(o.voided, 0)`.execute(db);
  return rows.map(({ id }) => `exposure or counters of ${id} do not match its orders`);
}

async function countAnsweredLate(
  { db }: Database,
  record: readonly AcknowledgedChange[],
): Promise<number> {
  const { rows } = await sql<{ world: bigint; real: bigint; speed: number }>`
    select clock_world_ms as world, clock_real_ms as real, speed from world`.execute(db);
  const { world, real, speed } = rows[0]!;
  const worldAt = (realMs: number) => Number(world) + (realMs - Number(real)) * speed;
  return record.filter(
    (acknowledged) =>
      acknowledged.resentAtMs !== null &&
      getPlaced(acknowledged).accepted_at_ms < worldAt(acknowledged.resentAtMs),
  ).length;
}

/** Number of orders not settled yet. */
export async function countOpen({ db }: Database): Promise<number> {
  const { rows } = await sql<{ open: bigint }>`
    select count(*) as open from contract_order where settled_at_ms is null`.execute(db);
  return Number(rows[0]!.open);
}
