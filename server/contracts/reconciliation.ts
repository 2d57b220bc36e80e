import { sql } from "kysely";
import type { AuditCheck } from "#server/ledger/audit/audit.ts";

/**
 * Compares orders with what was posted for them, the counts of a contract with its orders, and the
 * limit rows with the open ones. Reads all orders.
 */
export const reconcileContracts: AuditCheck = async (tx, find) => {
  const orders = await sql<{ id: string }>`
    select o.id from contract_order o left join entry e on e.journal_id = o.id and e.account = o.account
      left join account a on a.id = o.account
    where e.amount is distinct from -(o.stake + o.fee)
      or (a.owner, a.attempt_id) is distinct from (o.user_id, o.attempt_id)`.execute(tx);
  for (const { id } of orders.rows) find("contracts.order", `order ${id} is not what was posted`);
  const missing = await sql<{ id: string }>`
    select j.id from journal j where j.kind = 'contract.open'
      and not exists (select from contract_order o where o.id = j.id)`.execute(tx);
  for (const { id } of missing.rows) find("contracts.order", `journal ${id} has no order`);
  const paid = await sql<{ id: string }>`
    select o.id from contract_order o
    where o.payout > 0 and not exists (
      select from entry e join journal j on j.id = e.journal_id
      where e.account = o.account and e.amount = o.payout and j.kind = 'contract.settle'
        and j.at_ms = o.settled_at_ms)`.execute(tx);
  for (const { id } of paid.rows) find("contracts.payout", `order ${id} was not paid what it says`);
  const counts = await sql<{ id: string }>`
    select c.id from contract c left join (
      select contract_id, count(*) filter (where outcome = 'won') as won,
        count(*) filter (where outcome = 'lost') as lost,
        count(*) filter (where outcome = 'tie') as tied,
        count(*) filter (where outcome = 'void') as voided
      from contract_order group by contract_id) o on o.contract_id = c.id
    where (c.won, c.lost, c.tied, c.voided) is distinct from
      (coalesce(o.won, 0), coalesce(o.lost, 0), coalesce(o.tied, 0), coalesce(o.voided, 0))`.execute(
    tx,
  );
  for (const { id } of counts.rows) find("contracts.counts", `${id} counts other outcomes`);
};
