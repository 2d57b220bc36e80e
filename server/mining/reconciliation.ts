import { sql } from "kysely";
import { bitsToDifficulty } from "#core/mining/difficulty.ts";
import { hourMs } from "#core/money/time.ts";
import { worldTag } from "#core/transparency-log/leaf.ts";
import { decodeNetwork } from "#core/transparency-log/networkLeaf.ts";
import { decodePayout } from "#core/transparency-log/payoutLeaf.ts";
import type { AuditCheck } from "#server/ledger/audit/audit.ts";

/** Compares readings with their leaves, and payouts with posted entries. Reads every row. */
export function reconcileMining(world: string): AuditCheck {
  const tag = worldTag(world);
  return async (tx, report) => {
    const { rows } = await sql<{
      hour_ms: bigint;
      height: number;
      block_ms: bigint;
      bits: bigint;
      difficulty: bigint;
      epoch_first_ms: bigint;
      fee_sum: bigint;
      cumulative: string;
      accrual: string;
      network: Buffer | null;
      payout: Buffer | null;
    }>`
      select r.hour_ms, r.height, r.block_ms, r.bits, r.difficulty, r.epoch_first_ms, r.fee_sum, r.cumulative::text, r.accrual::text,
        n.bytes as network, p.bytes as payout
      from mining_reading r left join log_leaf n on n.leaf = r.leaf
        left join log_leaf p on p.leaf = r.leaf + 1`.execute(tx);
    for (const row of rows) {
      const network = row.network && decodeNetwork(row.network, tag);
      const payout = row.payout && decodePayout(row.payout, tag);
      const hour = Number(row.hour_ms) / hourMs;
      const matches =
        network?.ok &&
        payout?.ok &&
        network.value.hour === hour &&
        network.value.height === row.height &&
        network.value.blockSeconds * 1_000 === Number(row.block_ms) &&
        network.value.bits === Number(row.bits) &&
        bitsToDifficulty(network.value.bits) === row.difficulty &&
        network.value.epochFirstSeconds * 1_000 === Number(row.epoch_first_ms) &&
        String(network.value.feeSum) === String(row.fee_sum) &&
        payout.value.hour === hour &&
        String(payout.value.cumulative) === row.cumulative &&
        String(payout.value.accrual) === row.accrual;
      if (!matches)
        report("mining.reading", `the reading of ${row.hour_ms} is not what its leaf says`);
    }
    const leavesWithoutRow = await sql<{ leaf: bigint }>`
      select leaf from log_leaf l where kind = 6
        and not exists (select from mining_reading r where r.leaf = l.leaf)`.execute(tx);
    for (const { leaf } of leavesWithoutRow.rows)
      report("mining.reading", `leaf ${leaf} has no row`);
    const result = await sql<{ lease: bigint; day: number }>`
      select p.lease, p.day from mining_payout p join mining_lease l on l.seq = p.lease
      where p.amount > 0 and not exists (
        select from entry e where e.journal_id = p.journal_id and e.account = l.account
          and e.amount = p.amount)`.execute(tx);
    for (const { lease, day } of result.rows)
      report("mining.payout", `day ${day} of lease ${lease} is not what was posted`);
  };
}
