import { sql } from "kysely";
import { encodeLiabilities } from "#core/transparency-log/liabilitiesLeaf.ts";
import { insertRun, snapshotHeads } from "#server/liabilities/store.ts";
import { growTree } from "#server/liabilities/tree.ts";
import type { AppContext } from "#server/platform/context.ts";
import { lockKey } from "#server/platform/db/database.ts";
import type { Job } from "#server/platform/jobs.ts";
import type { TransparencyLog } from "#server/transparency-log/transparencyLog.ts";

/** Real seconds between one commitment and the next check; without changes none is made. */
const restSeconds = 60;

export interface LiabilityCommitment {
  run: number;
  leaf: number;
  accounts: number;
}

/**
 * Commits to every user account, as the ledger's chain has it, in a `liabilities` leaf; null when
 * nothing moved. The cost depends on what moved since the last commitment, not on the number of
 * accounts. A receipt holds the account's chain from its journal to the next commitment, so
 * commitments are a minute apart and every version is kept. Only every fourth level of the tree is
 * stored; the levels between are recomputed from sixteen neighbours.
 */
export async function commitLiabilities(
  { database, clock, world }: Pick<AppContext, "database" | "clock" | "world">,
  transparencyLog: TransparencyLog,
): Promise<LiabilityCommitment | null> {
  return database.db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${lockKey(database.schema, "liabilities")}::bigint)`.execute(
      tx,
    );
    const run = await snapshotHeads(tx);
    if (run === null) return null;
    const root = await growTree(tx, run.number, run.accounts, run.changed);
    const atMs = clock.nowMs();
    const bytes = encodeLiabilities({
      world: world.name,
      before: run.before,
      atMs,
      batch: run.batch,
      batchHead: run.batchHead,
      accounts: run.accounts,
      root: root.hash,
      users: root.sums,
      house: run.house,
    });
    const leaf = await transparencyLog.append(tx, [{ kind: "liabilities", bytes }]);
    await insertRun(tx, run, leaf, atMs);
    return { run: run.number, leaf, accounts: run.accounts };
  });
}

/** Commits soon after the start, then a minute after each commitment. */
export function liabilitiesJob(ctx: AppContext, transparencyLog: TransparencyLog): Job {
  const run = () => commitLiabilities(ctx, transparencyLog);
  return { name: "liabilities.commit", everySeconds: restSeconds, run };
}
