import { sql } from "kysely";
import type { AppContext } from "#server/platform/context.ts";
import type { Db } from "#server/platform/db/database.ts";
import { createPersonRows, type ExportChunks } from "#server/platform/db/personRows.ts";

/** Payouts held in memory at a time. */
const portion = 1_000;

/** Personal data of mining: leases and their payouts explain postings and stay. */
export function miningPersonalData(ctx: AppContext) {
  const rows = createPersonRows(ctx);
  return {
    name: "mining",
    lists: {
      leases: rows.list({ table: "mining_lease", order: "seq" }),
      payouts: (userId: string) => readPayouts(ctx.database.db, userId),
    },
    erase: null,
  };
}

async function* readPayouts(db: Db, userId: string): ExportChunks {
  let after = { lease: 0n, day: 0 };
  for (;;) {
    const { rows } = await sql<{ lease: bigint; day: number }>`
      select p.*, l.id as lease_id
      from mining_lease l join mining_payout p on p.lease = l.seq
      where l.user_id = ${userId}
        and (p.lease, p.day) > (${after.lease}::bigint, ${after.day}::integer)
      order by p.lease, p.day limit ${portion}`.execute(db);
    if (rows.length === 0) return;
    yield rows;
    after = rows.at(-1)!;
  }
}
