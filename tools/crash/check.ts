import { sql } from "kysely";
import { journalIdOfKey } from "#core/ledger/ids.ts";
import { createAudit } from "#server/ledger/audit/audit.ts";
import type { Database } from "#server/platform/db/database.ts";
import type { Acknowledged } from "./record.ts";

export interface Verdict {
  /** Sentences, one per difference. */
  lost: string[];
  duplicated: string[];
  unbalanced: string[];
  /** Orders whose request was never answered; whether they exist is determined here. */
  indefinite: { stand: number; doNot: number };
  orders: number;
  /** Acknowledged on a retry, although an earlier request had been accepted. */
  answeredLate: number;
  outcomes: Record<string, number>;
}

interface OrderRow {
  id: string;
  user_id: string;
  hash: string;
  charged: bigint;
  outcome: string | null;
}

/**
 * Compares the database with what clients were told. `open` holds the keys that were never
 * answered.
 */
export async function checkAll(
  database: Database,
  world: string,
  record: readonly Acknowledged[],
  open: ReadonlyMap<string, { userId: string }>,
): Promise<Verdict> {
  const { rows } = await sql<OrderRow>`
    select id, user_id, encode(order_hash, 'hex') as hash, stake + fee as charged, outcome
    from contract_order`.execute(database.db);
  const orders = new Map(rows.map((row) => [row.id, row]));
  const unanswered = [...open].map(([key, { userId }]) => journalIdOfKey(userId, key));
  const stand = unanswered.filter((id) => orders.has(id));
  const outcomes: Record<string, number> = {};
  for (const { outcome } of rows)
    outcomes[outcome ?? "open"] = (outcomes[outcome ?? "open"] ?? 0) + 1;
  return {
    lost: record.flatMap((answer) => lostBy(answer, orders.get(answer.orderId))),
    duplicated: duplicatesIn(rows, record, new Set(stand)),
    unbalanced: [
      ...(await auditFindings(database, world)),
      ...(await wrongBalances(database)),
      ...(await wrongSettlements(database)),
      ...(await wrongSums(database)),
    ],
    indefinite: { stand: stand.length, doNot: unanswered.length - stand.length },
    orders: rows.length,
    answeredLate: await countAnsweredLate(database, record),
    outcomes,
  };
}

function lostBy(answer: Acknowledged, order: OrderRow | undefined): string[] {
  if (!order) return [`order ${answer.orderId} was acknowledged and is missing`];
  const same =
    order.hash === answer.orderHash &&
    order.user_id === answer.userId &&
    String(order.charged) === answer.charged;
  return same ? [] : [`order ${answer.orderId} differs from what was acknowledged`];
}

function duplicatesIn(
  rows: readonly OrderRow[],
  record: readonly Acknowledged[],
  indefinite: ReadonlySet<string>,
): string[] {
  const answered = new Set(record.map(({ orderId }) => orderId));
  const keys = new Set(record.map(({ key }) => key));
  const found: string[] = [];
  if (keys.size !== answered.size || answered.size !== record.length)
    found.push(`${record.length} keys were answered with ${answered.size} orders`);
  for (const { id } of rows) {
    if (!answered.has(id) && !indefinite.has(id)) found.push(`no client was told of order ${id}`);
  }
  return found;
}

async function auditFindings(database: Database, world: string): Promise<string[]> {
  const { findings } = await createAudit({ database, world: { name: world } }).run({
    complete: true,
  });
  return findings.map(({ check, detail }) => `${check}: ${detail}`);
}

/**
 * Compares each wallet with the balance its orders imply: the starting amount, less what they cost,
 * plus what they paid.
 */
async function wrongBalances({ db }: Database): Promise<string[]> {
  const { rows } = await sql<{ id: bigint; balance: bigint; expected: bigint }>`
    select a.id, a.balance, 10000000000 + coalesce(o.result, 0) as expected
    from account a left join (
      select account, sum(coalesce(payout, 0) - stake - fee)::bigint as result from contract_order group by account
    ) o on o.account = a.id
    where a.kind = 'wallet' and a.coin = 'pUSDT' and not a.house
      and a.balance <> 10000000000 + coalesce(o.result, 0)`.execute(db);
  return rows.map(
    ({ id, balance, expected }) => `account ${id} has ${balance}; its orders imply ${expected}`,
  );
}

/** Each order is charged once and, if it pays, paid once; an unsettled order is not paid. */
async function wrongSettlements({ db }: Database): Promise<string[]> {
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
async function wrongSums({ db }: Database): Promise<string[]> {
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
  record: readonly Acknowledged[],
): Promise<number> {
  const { rows } = await sql<{ world: bigint; real: bigint; speed: number }>`
    select clock_world_ms as world, clock_real_ms as real, speed from world`.execute(db);
  const { world, real, speed } = rows[0]!;
  const worldAt = (realMs: number) => Number(world) + (realMs - Number(real)) * speed;
  return record.filter(
    ({ resentAtMs, acceptedAtMs }) => resentAtMs !== null && acceptedAtMs < worldAt(resentAtMs),
  ).length;
}

/** Number of orders not settled yet. */
export async function countOpen({ db }: Database): Promise<number> {
  const { rows } = await sql<{ open: bigint }>`
    select count(*) as open from contract_order where settled_at_ms is null`.execute(db);
  return Number(rows[0]!.open);
}
