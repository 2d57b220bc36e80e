import { sql } from "kysely";
import { hashBody } from "#core/ledger/ids.ts";
import { type Coin, coinScale } from "#core/money/coins.ts";
import { formatDecimal } from "#core/money/decimal.ts";
import { dueAfterMs, reviewAfterMs } from "#core/recharge/recharge.ts";
import { bytesToHex } from "#core/transparency-log/bytes.ts";
import type { AuditCheck } from "#server/ledger/audit/audit.ts";
import { comparePostings } from "#server/ledger/audit/explainedPostings.ts";

/**
 * Compares recharges with their credits, whose hash is part of the ledger's chain, and with their
 * vouchers. Reads every row.
 */
export function reconcileRecharges(world: string): AuditCheck {
  return async (tx, report) => {
    await comparePostings(
      tx,
      report,
      ["recharge.credit"],
      sql`select 'recharge.credit' as kind, id::text as ref, attempt_id, 'wallet' as account_kind,
          coin, amount from recharge where outcome = 'credited'`,
    );
    const { rows } = await sql<{
      id: string;
      user_id: string;
      attempt_id: string;
      coin: Coin;
      amount: bigint;
      body_hash: string | null;
      same: boolean;
    }>`
      select r.id, r.user_id, r.attempt_id, r.coin, r.amount, encode(j.body_hash, 'hex') as body_hash,
        coalesce(j.at_ms = r.over_at_ms and v.used_at_ms is not null
          and (v.coin, v.network, v.amount) = (r.coin, r.network, r.amount)
          and (r.read_coin, r.read_network, r.read_amount, r.mac_valid)
            = (r.coin, r.network, r.amount, true), false) as same
      from recharge r left join journal j on j.id = r.journal_id
        left join voucher v on v.id = r.voucher_id
      where r.outcome = 'credited'`.execute(tx);
    for (const row of rows) {
      const body = {
        user: row.user_id,
        attempt: row.attempt_id,
        recharge: row.id,
        coin: row.coin,
        amount: formatDecimal(row.amount, coinScale(row.coin)),
      };
      const hash = bytesToHex(hashBody(world, "recharge.credit", body));
      if (!row.same || hash !== row.body_hash)
        report("recharge.recharge", `${row.id} is not what was credited`);
    }
    const stray = await sql<{ id: string }>`
      select id::text from recharge r
      where not exists (select from voucher v where v.id = r.voucher_id)
        or r.closing_at_ms <> r.accepted_at_ms + ${reviewAfterMs}
        or r.due_at_ms <> r.accepted_at_ms + ${dueAfterMs}
        or not exists (select from used_key u where u.id = r.id and u.body_hash = r.body_hash)
        or r.outcome in ('credited', 'refused') and r.over_at_ms < r.due_at_ms
      union all
      select voucher_id from recharge where outcome = 'credited'
      group by voucher_id having count(*) > 1`.execute(tx);
    for (const { id } of stray.rows)
      report("recharge.recharge", `${id} lacks its voucher, its key or its times`);
  };
}
