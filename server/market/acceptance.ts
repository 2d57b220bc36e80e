import { sql } from "kysely";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Db, Tx } from "#server/platform/db/database.ts";

/**
 * Refuses to accept anything at a time that a closed second has passed: it would be bound by a
 * later second, as if it had been held back. That happens only when the caller's clock is behind
 * the feed's. After a recording's end no second binds it; a separate leaf does.
 */
export async function requireNotClosed(
  { clock }: Pick<AppContext, "clock">,
  tx: Tx,
  atMs: number,
): Promise<void> {
  const { rows } = await sql<{ closed: boolean }>`
    select exists (select from market_second where second_ms > ${atMs}
      and (${clock.endMs}::bigint is null or second_ms <= ${clock.endMs})) as closed`.execute(tx);
  if (rows[0]!.closed) throw new ApiError("server.unavailable");
}

/** Returns true if a recording's end is in the log: then the feed has closed its last second. */
export async function isEndClosed(
  { clock }: Pick<AppContext, "clock">,
  on: Db | Tx,
): Promise<boolean> {
  const { rows } = await sql<{ closed: boolean }>`
    select exists (select from market_second where second_ms > ${clock.endMs}) as closed`.execute(
    on,
  );
  return rows[0]!.closed;
}
