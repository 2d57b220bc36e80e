import { readLimits } from "#server/ledger/limits.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Db } from "#server/platform/db/database.ts";
import { createPersonRows } from "#server/platform/db/personRows.ts";

/** Personal data of contracts. Orders explain postings and stay. */
export function contractsPersonalData(ctx: AppContext) {
  const rows = createPersonRows(ctx);
  return {
    name: "contracts",
    exportFor: async (userId: string) => ({
      json: {
        limits: await rows.all(userId, { table: "contract_limits", order: "user_id" }),
        follows: await rows.all(userId, { table: "contract_follow", order: "contract_id" }),
        lost_by_day: await readLosses(ctx.database.db, userId),
      },
    }),
    lists: { orders: rows.list({ table: "contract_order", order: "seq" }) },
    erase: (userId: string) => rows.remove(userId, ["contract_follow", "contract_limits"]),
  };
}

/** Losses counted towards the limit, by real day since 1970. */
async function readLosses(db: Db, userId: string): Promise<object[]> {
  const rows = await readLimits(db, `contracts.loss:${userId}:`);
  return rows.map(({ key, used }) => ({ day: Number(key.split(":").at(-1)), lost: used }));
}
