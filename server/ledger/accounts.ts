import { sql } from "kysely";
import type { AccountKind } from "#core/ledger/chart.ts";
import { type Coin, coinCodes } from "#core/money/coins.ts";
import type { AccountOwner, CoinBalance } from "#server/ledger/types.ts";
import type { Database, Db, Tx } from "#server/platform/db/database.ts";

export interface Accounts {
  account: (owner: AccountOwner, kind: AccountKind, coin: Coin, tx?: Tx) => Promise<bigint>;
  balances: (attemptId: string) => Promise<CoinBalance[]>;
  /** The distinct users who own any of these accounts. */
  usersOf(accounts: Iterable<bigint>): Promise<string[]>;
}

/** Maximum number of cached accounts; they never change, and a miss costs one query. */
const cacheMax = 200_000;

export function createAccounts(database: Database): Accounts {
  const { db } = database;
  const ids = new Map<string, bigint>();
  const opening = new Map<string, Promise<bigint>>();
  const owners = new Map<bigint, string>();
  const openAccount = async (key: string, owner: AccountOwner, kind: AccountKind, coin: Coin) => {
    const id = await openOn(db, owner, kind, coin);
    trim(ids);
    ids.set(key, id);
    trim(owners);
    owners.set(id, owner === "house" ? owner : owner.userId);
    return id;
  };
  return {
    account: async (owner, kind, coin, tx) => {
      if (!tx) database.refuseInTransaction();
      const key = JSON.stringify([
        owner === "house" ? owner : [owner.userId, owner.attemptId],
        kind,
        coin,
      ]);
      const cached = ids.get(key);
      if (cached !== undefined) return cached;
      // Not cached: the transaction, and the account with it, may still be rolled back.
      if (tx) return openOn(tx, owner, kind, coin);
      let running = opening.get(key);
      if (!running) {
        running = openAccount(key, owner, kind, coin).finally(() => opening.delete(key));
        opening.set(key, running);
      }
      return running;
    },
    balances: async (attemptId) => {
      const { rows } = await sql<{ coin: Coin; kind: AccountKind; balance: bigint }>`
        select coin, kind, balance from account
        where attempt_id = ${attemptId} and not house and kind in ('wallet', 'held')`.execute(db);
      const getBalance = (coin: Coin, kind: AccountKind) =>
        rows.find((row) => row.coin === coin && row.kind === kind)?.balance ?? 0n;
      return coinCodes.map((coin) => ({
        coin,
        available: getBalance(coin, "wallet"),
        held: getBalance(coin, "held"),
      }));
    },
    usersOf: async (accounts) => {
      const uniqueIds = [...new Set(accounts)];
      const missingIds = uniqueIds.filter((id) => !owners.has(id));
      if (missingIds.length > 0) {
        const { rows } = await sql<{ id: bigint; owner: string }>`
          select id, owner from account where id = any(${missingIds}::bigint[])`.execute(db);
        for (const { id, owner } of rows) {
          trim(owners);
          owners.set(id, owner);
        }
      }
      const users = new Set(uniqueIds.map((id) => owners.get(id)));
      users.delete("house");
      users.delete(undefined);
      return [...users] as string[];
    },
  };
}

async function openOn(
  db: Db | Tx,
  owner: AccountOwner,
  kind: AccountKind,
  coin: Coin,
): Promise<bigint> {
  const [ownerId, attemptId] = owner === "house" ? ["house", ""] : [owner.userId, owner.attemptId];
  const { rows } = await sql<{ id: bigint }>`
    select open_account(${ownerId}, ${attemptId}, ${kind}, ${coin}) as id`.execute(db);
  return rows[0]!.id;
}

function trim(map: Map<unknown, unknown>): void {
  if (map.size < cacheMax) return;
  for (const key of map.keys()) {
    map.delete(key);
    return;
  }
}
