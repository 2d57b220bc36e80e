import { sql } from "kysely";
import { endingStructure, leaseStructure, structureHash } from "#core/mining/leaseOrder.ts";
import { bytesToHex } from "#core/transparency-log/bytes.ts";
import type { AuditCheck } from "#server/ledger/audit/audit.ts";
import { comparePostings } from "#server/ledger/audit/explainedPostings.ts";
import type { ReportFinding } from "#server/ledger/audit/replay.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { compareBound, readWorldLeaf } from "#server/transparency-log/boundRows.ts";

/**
 * Compares leases with their journals, with the hashes that the log binds and with their payouts,
 * and the counts of machines with their leases. Reads every row.
 */
export const reconcileLeases: AuditCheck = async (tx, report) => {
  await comparePostings(
    tx,
    report,
    ["mining.lease", "mining.payout", "mining.refund"],
    sql`select 'mining.lease' as kind, id::text as ref, attempt_id, 'wallet' as account_kind,
        'pUSDT' as coin, -(price_per_day + power_per_day) * days as amount from mining_lease
      union all select 'mining.payout', l.id::text, l.attempt_id, 'wallet', 'pBTC', p.amount
        from mining_payout p join mining_lease l on l.seq = p.lease where p.amount > 0
      union all select 'mining.refund', id::text, attempt_id, 'wallet', 'pUSDT',
        refund_price + refund_power from mining_lease where refund_id is not null`,
  );
  await compareLeases(tx, report);
  await compareMachines(tx, report);
  await compareHashes(tx, report);
};

/**
 * A credit of several days is valued as a whole, so its worth may exceed the sum of its days'
 * worth.
 */
async function compareLeases(tx: Tx, report: ReportFinding): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    with paid as (
      select lease, count(*) as days, min(day) as first, max(day) as last, sum(amount) as mined,
        coalesce(sum(div(amount::numeric * price, 10000)), 0) as worth_least,
        coalesce(div(sum(amount::numeric * price), 10000), 0) as worth_most
      from mining_payout group by lease)
    select l.id from mining_lease l left join paid p on p.lease = l.seq
      left join journal j on j.id = l.id left join journal r on r.id = l.refund_id
      left join account a on a.id = l.account
    where j.kind is distinct from 'mining.lease' or j.at_ms is distinct from l.accepted_at_ms
      or (a.owner, a.attempt_id, a.kind, a.coin)
        is distinct from (l.user_id, l.attempt_id, 'wallet', 'pBTC')
      or not exists (select from mining_terms t
        where t.product_id = l.product_id and t.terms_hash = l.terms_hash
          and case when t.body is json then
            (t.body::jsonb ->> 'hashrate_ghs')::bigint * l.quantity = l.hashrate_ghs
            and (t.body::jsonb ->> 'pool_fee_bp')::integer = l.pool_fee_bp end)
      or l.days_paid <> coalesce(p.days, 0) or l.mined <> coalesce(p.mined, 0)
      or p.last <> p.days or p.first <> 1
      or l.worth not between coalesce(p.worth_least, 0) and coalesce(p.worth_most, 0)
      or l.refund_id is not null and (r.kind is distinct from 'mining.refund'
        or r.about is distinct from l.id::text or r.at_ms is distinct from l.ended_at_ms)
    union all
    select j.id from journal j where j.kind = 'mining.lease'
      and not exists (select from mining_lease l where l.id = j.id)`.execute(tx);
  for (const { id } of rows) report("mining.lease", `lease ${id} is not what was posted and paid`);
  const payouts = await sql<{ lease: bigint; day: number }>`
    select p.lease, p.day from mining_payout p left join mining_lease l on l.seq = p.lease
      left join journal j on j.id = p.journal_id
    where l.seq is null
      or p.journal_id is not null
        and (j.kind, j.about) is distinct from ('mining.payout', l.product_id)
      or (p.amount > 0) <> (p.journal_id is not null)
      or p.accrual is distinct from mined_per_th(l.start_ms + p.day * 86400000::bigint)
        - mined_per_th(l.start_ms + (p.day - 1) * 86400000::bigint)`.execute(tx);
  for (const { lease, day } of payouts.rows)
    report("mining.payout", `day ${day} of lease ${lease} is not what the readings give`);
}

/**
 * Checks that every machine named by terms or leases has a row, with the right count of finished
 * leases.
 */
async function compareMachines(tx: Tx, report: ReportFinding): Promise<void> {
  const { rows } = await sql<{ product_id: string }>`
    with over as (
      select product_id, count(*) as ended, count(*) filter (
          where worth + coalesce(refund_price + refund_power, 0)
            < (price_per_day + power_per_day) * days) as lost
      from mining_lease where days_paid = days_to_work group by product_id),
    named as (select product_id from mining_terms union select product_id from mining_lease)
    select coalesce(m.product_id, n.product_id) as product_id
    from mining_machine m full join named n on n.product_id = m.product_id
      left join over o on o.product_id = n.product_id
    where m.product_id is null or n.product_id is null
      or (m.ended, m.lost) is distinct from (coalesce(o.ended, 0), coalesce(o.lost, 0))`.execute(
    tx,
  );
  for (const { product_id: product } of rows)
    report("mining.machine", `${product} is not what its terms and leases give`);
  const stray = await sql<{ key: string }>`
    select key from ledger_limit where key like 'mining.stock:%'
      and not exists (select from mining_machine m where key = 'mining.stock:' || m.product_id)`.execute(
    tx,
  );
  for (const { key } of stray.rows) report("mining.stock", `${key} is of no machine`);
}

interface LeaseRow {
  id: string;
  attempt_id: string;
  product_id: string;
  terms_hash: string;
  quantity: number;
  days: number;
  price_per_day: bigint;
  power_per_day: bigint;
  accepted_at_ms: bigint;
  salt: string;
  lease_hash: string;
  bound_leaf: bigint | null;
  days_to_work: number;
  refund_price: bigint | null;
  refund_power: bigint | null;
  ended_at_ms: bigint | null;
  end_salt: string | null;
  end_hash: string | null;
  end_bound_leaf: bigint | null;
}

async function compareHashes(tx: Tx, report: ReportFinding): Promise<void> {
  const leaf = await readWorldLeaf(tx);
  if (!leaf) return;
  const { world, market } = leaf;
  const { rows } = await sql<LeaseRow>`
    select id, attempt_id, product_id, encode(terms_hash, 'hex') as terms_hash, quantity, days,
      price_per_day, power_per_day, accepted_at_ms, encode(salt, 'hex') as salt,
      encode(lease_hash, 'hex') as lease_hash, bound_leaf, days_to_work, refund_price, refund_power,
      ended_at_ms, encode(end_salt, 'hex') as end_salt, encode(end_hash, 'hex') as end_hash,
      end_bound_leaf
    from mining_lease`.execute(tx);
  const leases = rows.map((row) => ({
    id: row.id,
    stored: row.lease_hash,
    computed: bytesToHex(
      structureHash(
        leaseStructure({
          world,
          market,
          leaseId: row.id,
          attemptId: row.attempt_id,
          productId: row.product_id,
          termsHash: row.terms_hash,
          quantity: row.quantity,
          days: row.days,
          cost: { pricePerDay: row.price_per_day, powerCostPerDay: row.power_per_day },
          acceptedAtMs: Number(row.accepted_at_ms),
          salt: row.salt,
        }),
      ),
    ),
    leaf: row.bound_leaf,
  }));
  const endedLeases = rows.flatMap((row) =>
    row.end_hash === null
      ? []
      : {
          id: `the early end of ${row.id}`,
          stored: row.end_hash,
          computed: bytesToHex(
            structureHash(
              endingStructure({
                world,
                market,
                leaseId: row.id,
                unusedDays: row.days - row.days_to_work,
                price: row.refund_price!,
                power: row.refund_power!,
                acceptedAtMs: Number(row.ended_at_ms),
                salt: row.end_salt!,
              }),
            ),
          ),
          leaf: row.end_bound_leaf,
        },
  );
  await compareBound(tx, report, "mining.hash", [...leases, ...endedLeases]);
}
