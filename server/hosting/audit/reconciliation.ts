import { sql } from "kysely";
import { orderHash } from "#core/hosting/order.ts";
import { compareHoldings, comparePools } from "#server/hosting/audit/holdingCheck.ts";
import { compareMarks } from "#server/hosting/audit/markCheck.ts";
import { compareTrades } from "#server/hosting/audit/tradeCheck.ts";
import type { AuditCheck } from "#server/ledger/audit/audit.ts";
import { comparePostings } from "#server/ledger/audit/explainedPostings.ts";
import type { ReportFinding } from "#server/ledger/audit/replay.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { compareBound, readWorldLeaf } from "#server/transparency-log/boundRows.ts";

/**
 * Compares orders with ledger and log, marks and trades with their leaves, and their aggregates
 * (holdings, pools, days, limits) with the rows they count. Reads all of them.
 */
export const reconcileHosting: AuditCheck = async (tx, report) => {
  await comparePostings(
    tx,
    report,
    [
      "hosting.subscribe",
      "hosting.ask",
      "hosting.redeem",
      "hosting.return",
      "hosting.seed",
      "hosting.trade",
    ],
    sql`select 'hosting.subscribe' as kind, id::text as ref, attempt_id, 'wallet' as account_kind,
        'pUSDT' as coin, -amount as amount from hosting_order where action = 'subscribe'
      union all select case action when 'redeem' then 'hosting.redeem' else 'hosting.return' end,
        id::text, attempt_id, 'wallet', 'pUSDT', payout from hosting_order where payout > 0`,
  );
  await compareOrders(tx, report);
  await compareAbouts(tx, report);
  await compareHashes(tx, report);
  await compareHoldings(tx, report);
  const world = await readWorldLeaf(tx);
  if (world) {
    await compareMarks(tx, report, world.world);
    await compareTrades(tx, report, world.world);
  }
  await comparePools(tx, report);
};

async function compareOrders(tx: Tx, report: ReportFinding): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select o.id from hosting_order o left join journal j on j.id = o.id
      left join account a on a.id = o.account
      left join hosting_mark m on m.pool_id = o.pool_id and m.at_ms = o.mark_at_ms
    where j.kind is distinct from (case o.action when 'subscribe' then 'hosting.subscribe'
        else 'hosting.ask' end)
      or j.at_ms is distinct from o.accepted_at_ms
      or (a.owner, a.attempt_id, a.kind, a.coin)
        is distinct from (o.user_id, o.attempt_id, 'wallet', 'pUSDT')
      or not exists (select from hosting_terms t
        where t.pool_id = o.pool_id and t.terms_hash = o.terms_hash)
      or o.outcome = 'executed' and (m.leaf is distinct from o.mark_leaf
        or o.mark_leaf <= o.bound_leaf
        or o.action = 'redeem' and (o.nav <> m.nav
          or o.amount <> div(o.units::numeric * o.nav, 10000000000)
          or o.payout <> o.amount - o.fee)
        or o.action = 'subscribe' and (o.fee <> 0
          or o.units <> div(o.amount::numeric * 10000000000, o.nav)))
      or o.outcome = 'returned' and (o.payout <> o.amount or o.fee <> 0
        or not exists (select from journal b join entry e on e.journal_id = b.id
          where b.kind = 'hosting.return' and e.about = o.id::text and e.account = o.account))
    union all
    select j.id from journal j where j.kind in ('hosting.subscribe', 'hosting.ask')
      and not exists (select from hosting_order o where o.id = j.id)`.execute(tx);
  for (const { id } of rows)
    report("hosting.order", `order ${id} is not what was posted and marked`);
  const flows = await sql<{ pool_id: string; at_ms: bigint }>`
    select m.pool_id, m.at_ms from hosting_mark m left join (
      select pool_id, mark_at_ms,
        sum(amount) filter (where action = 'subscribe') as subscribed,
        sum(units) filter (where action = 'subscribe') as given,
        sum(units) filter (where action = 'redeem') as redeemed,
        sum(payout) filter (where action = 'redeem') as paid, sum(fee) as kept
      from hosting_order where outcome = 'executed' group by pool_id, mark_at_ms) o
      on o.pool_id = m.pool_id and o.mark_at_ms = m.at_ms
    where (m.subscribed, m.given, m.redeemed, m.paid, m.kept) is distinct from
      (coalesce(o.subscribed, 0), coalesce(o.given, 0), coalesce(o.redeemed, 0),
        coalesce(o.paid, 0), coalesce(o.kept, 0))`.execute(tx);
  for (const { pool_id: pool, at_ms: atMs } of flows.rows)
    report("hosting.flows", `the orders of ${pool} at ${atMs} are not what its mark sums up`);
}

/** Checks that a leg on a house account names the pool whose money it moved, or nothing. */
async function compareAbouts(tx: Tx, report: ReportFinding): Promise<void> {
  const { rows } = await sql<{ id: string; leg: number }>`
    select e.journal_id as id, e.leg from entry e join account a on a.id = e.account
      join journal j on j.id = e.journal_id
    where a.house and e.about is distinct from case
      when a.kind <> 'hosting' then null
      when j.kind in ('hosting.subscribe', 'hosting.ask')
        then (select pool_id from hosting_order o where o.id = j.id)
      when j.kind = 'hosting.trade'
        then (select pool_id from hosting_trade t where t.id::text = j.about)
      else j.about end`.execute(tx);
  for (const { id, leg } of rows)
    report("hosting.about", `leg ${leg} of ${id} is about another pool`);
}

async function compareHashes(tx: Tx, report: ReportFinding): Promise<void> {
  const world = await readWorldLeaf(tx);
  if (!world) return;
  const { rows } = await sql<{
    id: string;
    attempt_id: string;
    pool_id: string;
    action: "subscribe" | "redeem";
    amount: bigint | null;
    units: bigint | null;
    terms_hash: string;
    accepted_at_ms: bigint;
    salt: string;
    order_hash: string;
    bound_leaf: bigint | null;
  }>`
    select id, attempt_id, pool_id, action, amount, units, encode(terms_hash, 'hex') as terms_hash,
      accepted_at_ms, encode(salt, 'hex') as salt, encode(order_hash, 'hex') as order_hash,
      bound_leaf
    from hosting_order`.execute(tx);
  await compareBound(
    tx,
    report,
    "hosting.hash",
    rows.map((row) => ({
      id: row.id,
      stored: row.order_hash,
      computed: orderHash({
        world: world.world,
        market: world.market,
        orderId: row.id,
        attemptId: row.attempt_id,
        poolId: row.pool_id,
        action: row.action,
        amount: row.action === "subscribe" ? row.amount : null,
        units: row.action === "redeem" ? row.units : null,
        termsHash: row.terms_hash,
        acceptedAtMs: Number(row.accepted_at_ms),
        salt: row.salt,
      }),
      leaf: row.bound_leaf,
    })),
  );
}
