import { sql } from "kysely";
import type { Coin } from "#core/money/coins.ts";
import type { Db } from "#server/platform/db/database.ts";

/** Attempts whose sums are cached; evicting one costs reading its entries again. */
const entriesMax = 2_000;

interface CachedFees {
  versions: Map<bigint, bigint>;
  fees: Map<Coin, bigint>;
}

/**
 * Withdrawal and exchange fees that an attempt paid, from the ledger: what its journals posted to
 * the house's `fees`. Sums are cached and continue from the entries last read.
 */
export function createLedgerFees(db: Db) {
  const cache = new Map<string, CachedFees>();
  return async (attemptId: string): Promise<ReadonlyMap<Coin, bigint>> => {
    const { rows: accounts } = await sql<{ id: bigint; version: bigint }>`
      select id, version from account where attempt_id = ${attemptId} and not house`.execute(db);
    const before = cache.get(attemptId);
    const changedAccounts = accounts.filter(
      ({ id, version }) => version > (before?.versions.get(id) ?? 0n),
    );
    const fees = new Map(before?.fees);
    if (changedAccounts.length > 0) {
      const from = changedAccounts.map(({ id }) => before?.versions.get(id) ?? 0n);
      for (const [coin, fee] of await readFees(db, changedAccounts, from)) {
        fees.set(coin, (fees.get(coin) ?? 0n) + fee);
      }
    }
    cache.delete(attemptId);
    if (cache.size >= entriesMax) cache.delete(cache.keys().next().value!);
    cache.set(attemptId, {
      versions: new Map(accounts.map(({ id, version }) => [id, version])),
      fees,
    });
    return fees;
  };
}

async function readFees(
  db: Db,
  accounts: readonly { id: bigint; version: bigint }[],
  from: readonly bigint[],
): Promise<[Coin, bigint][]> {
  const { rows } = await sql<{ coin: Coin; fee: bigint }>`
    with own as (
      select distinct e.journal_id
      from unnest(${accounts.map(({ id }) => id)}::bigint[], ${[...from]}::bigint[],
          ${accounts.map(({ version }) => version)}::bigint[]) w (account, after, upto)
        join entry e on e.account = w.account and e.version > w.after and e.version <= w.upto
        join journal j on j.id = e.journal_id
      where j.kind like 'withdraw.%' or j.kind like 'exchange.%'
    )
    select a.coin, sum(f.amount)::bigint as fee
    from own join entry f using (journal_id) join account a on a.id = f.account
    where a.house and a.kind = 'fees' group by a.coin`.execute(db);
  return rows.map(({ coin, fee }) => [coin, fee]);
}
