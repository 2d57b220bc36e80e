import { sql } from "kysely";
import type { Coin } from "#core/money/coins.ts";
import { type Attempts, createAttempts } from "#server/attempts/attempts.ts";
import { explainStarts } from "#server/attempts/explain.ts";
import type { RunningOff } from "#server/attempts/types.ts";
import type { Ledger } from "#server/ledger/types.ts";
import type { Parts } from "#server/platform/context.ts";
import type { Db } from "#server/platform/db/database.ts";
import type { Recharges } from "#server/recharge/recharge.ts";
import type { Records } from "#server/records/records.ts";
import type { Prices } from "#server/wallet/wallet.ts";
import type { Withdraw } from "#server/withdraw/withdraw.ts";

interface Needs {
  ledger: Ledger;
  market: Prices;
  records: Records;
  recharges: Recharges;
  withdraw: Withdraw;
}

/** Attempts with every domain that has something waiting, running or paid in them. */
export function wireAttempts(parts: Parts, needs: Needs): Attempts {
  const { db } = parts.database;
  const { ledger, market, records, recharges, withdraw } = needs;
  const attempts = createAttempts(parts, ledger, market, (attemptId) => records.lines(attemptId));
  attempts.onClose(({ attemptId }) => recharges.cancelWaiting(attemptId));
  attempts.onClose(({ attemptId }) => withdraw.cancelWaiting(attemptId));
  attempts.running("contract", (attemptIds) => openOrders(db, attemptIds));
  attempts.running("hosting", (attemptIds) => openHoldings(db, attemptIds));
  attempts.running("mining", (attemptIds) => openLeases(db, attemptIds));
  attempts.fees((attemptId) => orderFees(db, attemptId));
  records.explainer("attempt", (journalIds) => explainStarts(db, journalIds));
  return attempts;
}

/** How much runs in attempts of each product line: open orders, pools with units in them, leases with days left. */
export async function countRunning(
  db: Db,
  attemptIds: string[],
): Promise<{ contract: number; hosting: number; mining: number }> {
  const count = (running: ReadonlyMap<string, RunningOff>) =>
    [...running.values()].reduce((sum, one) => sum + one.count, 0);
  return {
    contract: count(await openOrders(db, attemptIds)),
    hosting: count(await openHoldings(db, attemptIds)),
    mining: count(await openLeases(db, attemptIds)),
  };
}

/** Open contract orders of attempts: how many, and when the last is delivered as far as their entries are known. */
async function openOrders(db: Db, attemptIds: string[]): Promise<ReadonlyMap<string, RunningOff>> {
  const { rows } = await sql<RunningRow>`
    select o.attempt_id, count(*) as count, max(o.accepted_at_ms + o.tier_seconds * 1000) as last_at_ms
    from contract_order o
    where o.user_id in (select user_id from user_attempt where attempt_id = any(${attemptIds}::text[]))
      and o.attempt_id = any(${attemptIds}::text[]) and o.settled_at_ms is null
    group by o.attempt_id`.execute(db);
  return byAttempt(rows);
}

/** Pools of which units are held, or paid for and waiting; they have no end of their own. */
async function openHoldings(
  db: Db,
  attemptIds: string[],
): Promise<ReadonlyMap<string, RunningOff>> {
  const { rows } = await sql<RunningRow>`
    select h.attempt_id, count(*) as count, null::bigint as last_at_ms from hosting_holding h
    where h.attempt_id = any(${attemptIds}::text[]) and (h.bought > h.redeemed or h.waiting > 0)
    group by h.attempt_id`.execute(db);
  return byAttempt(rows);
}

/** Leases that have days left to work. */
async function openLeases(db: Db, attemptIds: string[]): Promise<ReadonlyMap<string, RunningOff>> {
  const { rows } = await sql<RunningRow>`
    select l.attempt_id, count(*) as count, max(l.start_ms + l.days_to_work * 86400000::bigint) as last_at_ms
    from mining_lease l
    where l.user_id in (select user_id from user_attempt where attempt_id = any(${attemptIds}::text[]))
      and l.attempt_id = any(${attemptIds}::text[]) and l.next_due_ms is not null
    group by l.attempt_id`.execute(db);
  return byAttempt(rows);
}

interface RunningRow {
  attempt_id: string;
  count: bigint;
  last_at_ms: bigint | null;
}

function byAttempt(rows: readonly RunningRow[]): ReadonlyMap<string, RunningOff> {
  return new Map(
    rows.map((row) => [
      row.attempt_id,
      {
        count: Number(row.count),
        lastAtMs: row.last_at_ms === null ? null : Number(row.last_at_ms),
      },
    ]),
  );
}

/** Fees of an attempt's contract orders; a void order's came back. */
async function orderFees(db: Db, attemptId: string): Promise<ReadonlyMap<Coin, bigint>> {
  const { rows } = await sql<{ fee: bigint }>`
    select coalesce(sum(o.fee), 0)::bigint as fee from contract_order o
    where o.user_id in (select user_id from user_attempt where attempt_id = ${attemptId})
      and o.attempt_id = ${attemptId} and o.outcome is distinct from 'void'`.execute(db);
  return new Map([["pUSDT", rows[0]!.fee]]);
}
