import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { sameBytes } from "#core/transparency-log/bytes.ts";
import { failureOf } from "#server/ledger/failures.ts";
import { Refusal } from "#server/platform/apiError.ts";
import type { Parts } from "#server/platform/context.ts";
import { enterGate } from "#server/platform/db/acceptLock.ts";
import type { Tx } from "#server/platform/db/database.ts";

const triesMax = 6;

/**
 * Runs `work` in one transaction behind the gate, again when others were in its way or the connection was lost: `work` posts
 * journals with fixed ids, so that asking again is finding what stands. Throws the Refusal `server.unavailable` when it stays so.
 */
export async function transact<Result>(
  { database }: Pick<Parts, "database">,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await database.db.transaction().execute(async (tx) => {
        await enterGate(tx, database.schema);
        return await work(tx);
      });
    } catch (error) {
      if (error instanceof Refusal) throw error;
      const failure = failureOf(error);
      if (failure === "final") throw error;
      if (failure === "full" || attempt >= triesMax) throw new Refusal("server.unavailable");
      await sleep(failure === "lost" ? 50 * 2 ** attempt : 5 * attempt);
    }
  }
}

/**
 * Whether this very request was posted before: a try whose answer was lost, or the same key in another process. Refuses
 * `idempotency.body_changed` when it was another one.
 */
export async function postedBefore(tx: Tx, id: string, bodyHash: Uint8Array): Promise<boolean> {
  const { rows } = await sql<{ body_hash: Buffer }>`
    select body_hash from journal where id = ${id}`.execute(tx);
  if (!rows[0]) return false;
  if (!sameBytes(rows[0].body_hash, bodyHash)) throw new Refusal("idempotency.body_changed");
  return true;
}
