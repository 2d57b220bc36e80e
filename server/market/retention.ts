import { sql } from "kysely";
import type { AppContext } from "#server/platform/context.ts";
import type { Job } from "#server/platform/jobs.ts";

/**
 * Rows of each kind that one transaction removes: about 50 ms, so that nothing waits for it for
 * long.
 */
const rowsPerBatch = 5_000;

export interface RetentionDeps {
  contributions: {
    /** The earliest second that a domain still needs for settlement; null when it needs none. */
    readonly secondsNeededFrom: readonly (() => Promise<number | null>)[];
  };
}

interface RetentionResult {
  seconds: number;
  minutes: number;
}

/**
 * The job `market.forget`: removes seconds and 1m klines that nothing reads any more. Their age is
 * decided in server/migrations/200-market.sql.
 */
export function retentionJob(
  ctx: Pick<AppContext, "database" | "clock" | "logger" | "world">,
  { contributions }: RetentionDeps,
): Job {
  const neededFromMs = async () => {
    const starts = await Promise.all(
      contributions.secondsNeededFrom.map((readStart) => readStart()),
    );
    const neededStarts = starts.filter((atMs) => atMs !== null);
    return neededStarts.length > 0 ? Math.min(...neededStarts) : null;
  };
  const run = async () => {
    // A worker may run before the feed that begins the world.
    const { rows } = await sql`select from market_state`.execute(ctx.database.db);
    if (rows.length === 0) return;
    const deletedCount = await deleteOld(ctx, neededFromMs);
    if (deletedCount.seconds + deletedCount.minutes > 0)
      ctx.logger.info(deletedCount, "removed old seconds and minutes");
  };
  return { name: "market.forget", everySeconds: 600, run };
}

async function deleteOld(
  { database, clock, world }: Pick<AppContext, "database" | "clock" | "world">,
  neededFromMs: () => Promise<number | null>,
): Promise<RetentionResult> {
  const sum = { seconds: 0, minutes: 0 };
  for (;;) {
    // Read before each batch, because settlement continues concurrently.
    const neededMs = await neededFromMs();
    const { rows } = await sql<{ seconds: bigint; minutes: bigint }>`
      select seconds, minutes from purge_market(${clock.nowMs()}::bigint, ${neededMs}::bigint,
        ${[...world.symbols]}::text[], ${rowsPerBatch}::integer)`.execute(database.db);
    const { seconds, minutes } = rows[0]!;
    sum.seconds += Number(seconds);
    sum.minutes += Number(minutes);
    if (Number(seconds) < rowsPerBatch && Number(minutes) < rowsPerBatch) return sum;
  }
}
