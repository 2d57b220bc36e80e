import { sql } from "kysely";
import { orderHash } from "#core/contracts/order.ts";
import type { Direction } from "#core/contracts/settle.ts";
import type { MarketSymbol } from "#core/market/symbols.ts";
import { compareSettlements } from "#server/contracts/settlementCheck.ts";
import type { AuditCheck } from "#server/ledger/audit/audit.ts";
import { comparePostings } from "#server/ledger/audit/explainedPostings.ts";
import type { ReportFinding } from "#server/ledger/audit/replay.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { compareBound, readWorldLeaf } from "#server/transparency-log/boundRows.ts";

/**
 * Compares orders with their journals and with the hash that the log binds, the counts of a
 * contract with its orders, and the limit rows with the open ones. Reads all orders.
 */
export const reconcileContracts: AuditCheck = async (tx, report) => {
  await comparePostings(
    tx,
    report,
    ["contract.open", "contract.settle"],
    sql`select 'contract.open' as kind, id::text as ref, attempt_id, 'wallet' as account_kind,
        'pUSDT' as coin, -(stake + fee) as amount from contract_order
      union all select 'contract.settle', id::text, attempt_id, 'wallet', 'pUSDT', payout
        from contract_order where payout > 0`,
  );
  const orders = await sql<{ id: string }>`
    select o.id from contract_order o left join journal j on j.id = o.id
      left join account a on a.id = o.account
    where j.kind is distinct from 'contract.open' or j.at_ms is distinct from o.accepted_at_ms
      or (a.owner, a.attempt_id, a.kind, a.coin)
        is distinct from (o.user_id, o.attempt_id, 'wallet', 'pUSDT')
      or not exists (select from contract_terms t
        where t.contract_id = o.contract_id and t.terms_hash = o.terms_hash)`.execute(tx);
  for (const { id } of orders.rows) report("contracts.order", `order ${id} is not what was posted`);
  const result = await sql<{ id: string }>`
    select o.id from contract_order o
    where o.payout > 0 and not exists (
      select from entry e join journal j on j.id = e.journal_id
      where e.account = o.account and e.amount = o.payout and j.kind = 'contract.settle'
        and j.at_ms = o.settled_at_ms)`.execute(tx);
  for (const { id } of result.rows)
    report("contracts.payout", `order ${id} was not paid what it says`);
  const queryResult = await sql<{ id: string }>`
    select o.id from contract_order o join world w on true
      left join journal j on j.id = settlement_journal_id(w.name, o.contract_id, o.due_at_ms)
    where o.settled_at_ms is not null and (j.kind, j.about, j.at_ms)
      is distinct from ('contract.settle', o.contract_id, o.settled_at_ms)`.execute(tx);
  for (const { id } of queryResult.rows)
    report("contracts.payout", `order ${id} was settled at another time than it says`);
  await compareContracts(tx, report);
  await compareHashes(tx, report);
  await comparePrices(tx, report);
  await compareSettlements(tx, report);
  await compareCounts(tx, report);
};

/** Compares a contract's symbol with its terms and with the symbols of the world's first leaf. */
async function compareContracts(tx: Tx, report: ReportFinding): Promise<void> {
  const world = await readWorldLeaf(tx);
  const { rows } = await sql<{
    id: string;
    symbol: string;
    ordinal: number;
    stated: string | null;
  }>`
    select c.id, c.symbol, c.ordinal, t.stated from contract c left join lateral (
      select case when body is json then body::jsonb ->> 'symbol' end as stated
      from contract_terms t where t.contract_id = c.id order by version desc limit 1) t on true`.execute(
    tx,
  );
  for (const { id, symbol, ordinal, stated } of rows) {
    const index = world?.symbols.findIndex(({ name }) => name === symbol);
    const isPlaced = index === undefined || index + 1 === ordinal;
    if (symbol !== stated || !isPlaced) report("contracts.contract", `${id} is on another symbol`);
  }
}

async function compareHashes(tx: Tx, report: ReportFinding): Promise<void> {
  const world = await readWorldLeaf(tx);
  if (!world) return;
  const { rows } = await sql<{
    id: string;
    attempt_id: string;
    contract_id: string;
    symbol: MarketSymbol;
    direction: Direction;
    tier_seconds: number;
    window_seconds: number;
    range_bp: number;
    rate_bp: number;
    fee_bp: number;
    stake: bigint;
    fee: bigint;
    terms_hash: string;
    accepted_at_ms: bigint;
    salt: string;
    order_hash: string;
    bound_leaf: bigint | null;
  }>`
    select o.id, o.attempt_id, o.contract_id, c.symbol, o.direction, o.tier_seconds,
      o.window_seconds, o.range_bp, o.rate_bp, o.fee_bp, o.stake, o.fee,
      encode(o.terms_hash, 'hex') as terms_hash, o.accepted_at_ms, encode(o.salt, 'hex') as salt,
      encode(o.order_hash, 'hex') as order_hash, o.bound_leaf
    from contract_order o left join contract c on c.id = o.contract_id`.execute(tx);
  await compareBound(
    tx,
    report,
    "contracts.hash",
    rows.map((row) => ({
      id: row.id,
      stored: row.order_hash,
      computed: orderHash({
        world: world.world,
        market: world.market,
        orderId: row.id,
        attemptId: row.attempt_id,
        contractId: row.contract_id,
        symbol: row.symbol,
        direction: row.direction,
        tierSeconds: row.tier_seconds,
        windowSeconds: row.window_seconds,
        rangeBp: row.range_bp,
        rateBp: row.rate_bp,
        feeBp: row.fee_bp,
        stake: row.stake,
        fee: row.fee,
        termsHash: row.terms_hash,
        acceptedAtMs: Number(row.accepted_at_ms),
        salt: row.salt,
      }),
      leaf: row.bound_leaf,
    })),
  );
}

/** Entry and due times follow from the entry's second, and the outcome from the two prices. */
async function comparePrices(tx: Tx, report: ReportFinding): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select o.id from contract_order o left join market_second s on s.leaf = o.entry_leaf
      left join contract c on c.id = o.contract_id
    where o.entry_leaf is not null and (
      o.entry_leaf <= o.bound_leaf
      or not exists (select from log_leaf l where l.leaf = o.entry_leaf and l.kind = 2)
      or o.purchase_price is not null and (
        o.delivery_at_ms <> o.entry_at_ms + o.tier_seconds * 1000
        or o.due_at_ms <> o.delivery_at_ms
        or s.leaf is not null
          and (s.second_ms, s.index[c.ordinal]) is distinct from (o.entry_at_ms, o.purchase_price))
      or o.purchase_price is null and s.leaf is not null and o.due_at_ms <> s.second_ms)
    union all
    select o.id from contract_order o
    where o.settled_at_ms is not null and (o.settled_at_ms < o.due_at_ms or o.outcome is null)
      or o.outcome in ('won', 'lost', 'tie') and o.outcome is distinct from (
        case when o.selling_price = o.purchase_price or abs(o.selling_price - o.purchase_price)
            * 10000 < o.range_bp * o.purchase_price then 'tie'
          when (o.selling_price > o.purchase_price) = (o.direction = 'up') then 'won'
          else 'lost' end)`.execute(tx);
  for (const { id } of rows) report("contracts.prices", `order ${id} is not what its seconds give`);
}

/** Compares counters with the orders they count: outcomes, exposure and a day's losses. */
async function compareCounts(tx: Tx, report: ReportFinding): Promise<void> {
  const counts = await sql<{ id: string }>`
    select c.id from contract c left join (
      select contract_id, count(*) filter (where outcome = 'won') as won,
        count(*) filter (where outcome = 'lost') as lost,
        count(*) filter (where outcome = 'tie') as tied,
        count(*) filter (where outcome = 'void') as voided
      from contract_order group by contract_id) o on o.contract_id = c.id
    where (c.won, c.lost, c.tied, c.voided) is distinct from
      (coalesce(o.won, 0), coalesce(o.lost, 0), coalesce(o.tied, 0), coalesce(o.voided, 0))
    union all
    select contract_id from (select contract_id from contract_order
      union select contract_id from contract_terms) o
    where not exists (select from contract c where c.id = o.contract_id)
    union all
    select c.id from contract c
    where not exists (select from contract_terms t where t.contract_id = c.id)`.execute(tx);
  for (const { id } of counts.rows) report("contracts.counts", `${id} counts other outcomes`);
  const limits = await sql<{ key: string; used: bigint; due: bigint }>`
    select coalesce(l.key, o.key) as key, coalesce(l.used, 0) as used, coalesce(o.due, 0)::bigint as due
    from (select key, used from ledger_limit
        where key like 'contracts.exposure:%' or key like 'contracts.loss:%') l
      full join (
        select 'contracts.exposure:' || contract_id as key, sum(profit) as due
          from contract_order where settled_at_ms is null group by contract_id
        union all
        select 'contracts.loss:' || user_id || ':' || loss_day,
          sum(case when settled_at_ms is null then stake + fee
            else greatest(stake + fee - coalesce(payout, 0), 0) end)
          from contract_order where loss_day is not null group by user_id, loss_day) o
      on o.key = l.key
    where coalesce(l.used, 0) <> coalesce(o.due, 0)`.execute(tx);
  for (const { key, used, due } of limits.rows)
    report("contracts.limit", `${key} counts ${used}, its orders ${due}`);
}
