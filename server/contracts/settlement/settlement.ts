import { sql } from "kysely";
import { notify } from "#server/contracts/settlement/closeSecond.ts";
import type { ContractsDeps } from "#server/contracts/types.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Job } from "#server/platform/jobs.ts";

/** Orders per settlement, unless a single second has more: a second is never split. */
const ordersPerBatch = 20_000;
/** How long the loop waits for `second.closed` before it checks anyway, in real milliseconds. */
const pollMs = 1_000;

/**
 * Settles orders behind the feed. Each second settles in one transaction, so a crash part-way
 * leaves it due, and the journal's id (derived from contract and second) prevents a second posting.
 */
export function createSettlement(ctx: AppContext, ledger: ContractsDeps["ledger"]) {
  const { db } = ctx.database;
  /** Settles orders due up to the last closed second; returns how many. */
  const settleDue = async (): Promise<number> => {
    let count = 0;
    for (;;) {
      const upToMs = await readNextBound(ctx);
      if (upToMs === null) return count;
      const house = await ledger.account("house", "contracts", "pUSDT");
      const { rows } = await sql<{
        id: string;
        user_id: string;
      }>`select id, user_id from settle_contracts(
        ${ctx.world.name}, ${upToMs}, ${ctx.clock.nowMs()}, ${ctx.realClock.nowMs()}, ${house})`.execute(
        db,
      );
      count += rows.length;
      notify(ctx, rows);
      ledger.notifyPosted(rows.map((row) => row.user_id));
    }
  };
  const run = async (signal: AbortSignal) => {
    while (!signal.aborted) {
      const secondClosed = nextSecond(ctx, signal);
      await settleDue();
      await secondClosed;
    }
  };
  const jobs: readonly Job[] = [{ name: "contracts.settle", service: "feed", loop: run }];
  return { settleDue, jobs };
}

/** The last due second of the next batch; null when nothing is due. */
async function readNextBound({ database }: AppContext): Promise<number | null> {
  const { rows } = await sql<{ due_at_ms: bigint | null }>`
    select coalesce(max(due_at_ms) filter (where sum - orders < ${ordersPerBatch}), min(due_at_ms)) as due_at_ms
    from (
      select due_at_ms, count(*) as orders, sum(count(*)) over (order by due_at_ms) as sum
      from contract_order
      where settled_at_ms is null and due_at_ms <= (select max(second_ms) from market_second)
      group by due_at_ms) due`.execute(database.db);
  const dueAtMs = rows[0]?.due_at_ms ?? null;
  return dueAtMs === null ? null : Number(dueAtMs);
}

/**
 * Resolves on the next `second.closed`, after `pollMs` without one, or when the loop is aborted.
 */
function nextSecond({ bus }: AppContext, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      forget();
      signal.removeEventListener("abort", finish);
      resolve();
    };
    const timer = setTimeout(finish, pollMs);
    const forget = bus.subscribe("second.closed", finish);
    signal.addEventListener("abort", finish, { once: true });
  });
}
