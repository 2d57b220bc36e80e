import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { equalBytes } from "#core/transparency-log/bytes.ts";
import { classifyFailure } from "#server/ledger/audit/failures.ts";
import { postJournals } from "#server/ledger/postJournals.ts";
import type { Journal, PostResult } from "#server/ledger/types.ts";
import { ApiError } from "#server/platform/apiError.ts";
import { lockShared } from "#server/platform/db/acceptLock.ts";
import type { Database, Tx } from "#server/platform/db/database.ts";

const triesMax = 6;

interface TransactDeps {
  database: Database;
  /** Called after the commit with the accounts that changed. */
  onPosted: (accounts: Set<bigint>) => Promise<void>;
}

/** Posting inside a domain's own transaction: the ledger's `postIn` and `transact`. */
export function createTransactions({ database, onPosted }: TransactDeps) {
  /** Accounts moved so far by each open transaction of `transact`. */
  const changedAccounts = new WeakMap<Tx, Set<bigint>>();

  const postIn = async (tx: Tx, journals: Journal[], atMs: number): Promise<PostResult[]> => {
    const results = await postJournals(tx, journals, atMs);
    const accounts = changedAccounts.get(tx);
    for (const [index, { outcome }] of results.entries())
      if (outcome === "posted") for (const leg of journals[index]!.legs) accounts?.add(leg.account);
    return results;
  };

  const transact = async <Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> => {
    const changedIds = new Set<bigint>();
    try {
      for (let attempt = 1; ; attempt += 1) {
        const accounts = new Set<bigint>();
        try {
          const result = await database.db.transaction().execute(async (tx) => {
            changedAccounts.set(tx, accounts);
            await lockShared(tx, database.schema);
            return await work(tx);
          });
          for (const account of accounts) changedIds.add(account);
          return result;
        } catch (error) {
          if (error instanceof ApiError) throw error;
          const failure = classifyFailure(error);
          if (failure === "final") throw error;
          // It may have committed: the retry then finds its journals and moves nothing itself.
          if (failure === "lost") for (const account of accounts) changedIds.add(account);
          if (failure === "full" || attempt >= triesMax) throw new ApiError("server.unavailable");
          await sleep(failure === "lost" ? 50 * 2 ** attempt : 5 * attempt);
        }
      }
    } finally {
      if (changedIds.size > 0) await onPosted(changedIds);
    }
  };
  return { postIn, transact };
}

/**
 * Returns true if this very request was already posted, by an attempt whose answer was lost or by
 * another process with the same key. Throws `idempotency.body_changed` when the body differs.
 */
export async function isPostedBefore(tx: Tx, id: string, bodyHash: Uint8Array): Promise<boolean> {
  const { rows } = await sql<{ body_hash: Buffer }>`
    select body_hash from journal where id = ${id}`.execute(tx);
  if (!rows[0]) return false;
  if (!equalBytes(rows[0].body_hash, bodyHash)) throw new ApiError("idempotency.body_changed");
  return true;
}
