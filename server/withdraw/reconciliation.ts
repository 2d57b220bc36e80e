import { sql } from "kysely";
import type { Coin } from "#core/money/coins.ts";
import { isCarriedBy, isNetwork } from "#core/wallet/networks.ts";
import { computeWithdrawFee, withdrawCancelMs } from "#core/withdraw/withdraw.ts";
import type { AuditCheck } from "#server/ledger/audit/audit.ts";
import { comparePostings } from "#server/ledger/audit/explainedPostings.ts";
import type { ReportFinding } from "#server/ledger/audit/replay.ts";
import type { Tx } from "#server/platform/db/database.ts";

/** Compares withdrawals with their holds and the ends of those. Reads every row. */
export const reconcileWithdrawals: AuditCheck = async (tx, report) => {
  await comparePostings(
    tx,
    report,
    ["withdraw.place", "withdraw.leave", "withdraw.cancel"],
    sql`select 'withdraw.place' as kind, w.id::text as ref, w.attempt_id, s.account_kind, w.coin,
        s.sign * w.amount as amount
      from withdrawal w, (values ('wallet', -1), ('held', 1)) s (account_kind, sign)
      union all select 'withdraw.leave', id::text, attempt_id, 'held', coin, -amount
        from withdrawal where outcome = 'left'
      union all select 'withdraw.cancel', w.id::text, w.attempt_id, s.account_kind, w.coin,
        s.sign * w.amount
      from withdrawal w, (values ('held', -1), ('wallet', 1)) s (account_kind, sign)
      where w.outcome = 'cancelled'`,
  );
  const { rows } = await sql<{ id: string }>`
    select w.id from withdrawal w left join hold h on h.id = w.id
    where not exists (
        select from entry e join account a on a.id = e.account
        where e.journal_id = w.id and e.amount = -w.amount and a.kind = 'wallet'
          and (a.owner, a.attempt_id, a.coin) = (w.user_id, w.attempt_id, w.coin))
      or h.state is distinct from case w.outcome when 'left' then 'posted'
        when 'cancelled' then 'voided' else 'pending' end
      or h.closed_by is distinct from w.ended_journal
      or w.placed_at_ms is distinct from (select at_ms from journal j where j.id = w.id)
      or w.cancel_until_ms <> w.placed_at_ms + ${withdrawCancelMs}
      or w.ended_at_ms is distinct from (select at_ms from journal j where j.id = w.ended_journal)
      or w.outcome = 'left' and w.ended_by not in ('time', 'day', 'operator')
      or w.outcome = 'cancelled' and w.ended_by not in ('person', 'start_over')
      or w.outcome = 'left' and w.fee <> (
        select coalesce(sum(e.amount), 0) from entry e join account a on a.id = e.account
        where e.journal_id = w.ended_journal and a.kind = 'fees')
    union all
    select j.id from journal j where j.kind = 'withdraw.place'
      and not exists (select from withdrawal w where w.id = j.id)`.execute(tx);
  for (const { id } of rows) report("withdraw.withdrawal", `${id} is not what was held and paid`);
  await compareTerms(tx, report);
};

/** Compares the fee, the form and the cause of the end with the rule and the operators' actions. */
async function compareTerms(tx: Tx, report: ReportFinding): Promise<void> {
  const { rows } = await sql<{
    id: string;
    coin: Coin;
    amount: bigint;
    fee: bigint;
    is_whole_balance: boolean;
    network: string;
    left_over: bigint | null;
  }>`
    select w.id, w.coin, w.amount, w.fee, w.is_whole_balance, w.network, e.balance as left_over
    from withdrawal w left join entry e on e.journal_id = w.id and e.amount = -w.amount`.execute(
    tx,
  );
  for (const {
    id,
    coin,
    amount,
    fee,
    is_whole_balance: isWhole,
    network,
    left_over: leftOver,
  } of rows) {
    const matches =
      fee === computeWithdrawFee(coin, amount) &&
      isWhole === (leftOver === 0n) &&
      isNetwork(network) &&
      isCarriedBy(network, coin);
    if (!matches) report("withdraw.withdrawal", `${id} has other terms than the rule gives`);
  }
  const acts = await sql<{ id: string }>`
    select coalesce(w.id::text, e.target) as id
    from (select * from withdrawal where ended_by = 'operator') w
      full join (select * from operator_audit_event where what = 'people.paid_now') e
      on e.target = w.id::text
    where w.id is null or e.seq is null or e.touches <> w.user_id
      or w.early_payment <> jsonb_build_object('operatorId', e.operator_id, 'role', e.role)`.execute(
    tx,
  );
  for (const { id } of acts.rows)
    report("withdraw.act", `${id} was let leave by another act than the log has`);
}
