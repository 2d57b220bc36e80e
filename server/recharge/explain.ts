import { sql } from "kysely";
import type { Coin } from "#core/money/coins.ts";
import type { VoucherKind } from "#core/recharge/voucher.ts";
import type { Db } from "#server/platform/db/database.ts";
import type { RecordExplanation } from "#server/records/types.ts";

interface Row {
  journal_id: string;
  recharge_id: string;
  coin: Coin;
  network: string;
  voucher_id: string;
  kind: VoucherKind;
  worth: bigint;
  accepted_at_ms: bigint;
}

/** Details of recharge credits: voucher, network, value against the daily limit. */
export async function explainCredits(
  db: Db,
  journalIds: string[],
): Promise<Map<string, RecordExplanation>> {
  const { rows } = await sql<Row>`
    select r.journal_id, r.id as recharge_id, r.coin, r.network, r.voucher_id, v.kind, r.worth, r.accepted_at_ms
    from recharge r join voucher v on v.id = r.voucher_id
    where r.journal_id = any(${journalIds}::uuid[])`.execute(db);
  return new Map(
    rows.map((row) => [
      row.journal_id,
      {
        facts: {
          voucher_id: row.voucher_id,
          voucher_kind: row.kind,
          network: row.network,
          worth: { amount: String(row.worth), coin: "pUSDT" as const },
          sent_at_ms: Number(row.accepted_at_ms),
        },
        link: `/wallet-info?coin=${row.coin}&do=recharge&recharge=${row.recharge_id}`,
      },
    ]),
  );
}
