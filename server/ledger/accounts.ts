import { sql } from "kysely";
import type { AccountKind } from "#core/ledger/chart.ts";
import { type Coin, coinCodes } from "#core/money/coins.ts";
import type { AccountOwner, CoinBalance } from "#server/ledger/types.ts";
import type { Database } from "#server/platform/db/database.ts";

export interface Accounts {
  account: (owner: AccountOwner, kind: AccountKind, coin: Coin) => Promise<bigint>;
  balances: (attemptId: string) => Promise<CoinBalance[]>;
  /** The users who own any of these accounts, each once. */
  usersOf(accounts: Iterable<bigint>): Promise<string[]>;
}

/** Accounts kept in memory at most; they never change, so forgetting one costs a query. */
const cacheMax = 200_000;

export function createAccounts({ db }: Database): Accounts {
  const ids = new Map<string, Promise<bigint>>();
  const owners = new Map<bigint, string>();
  const open = async (owner: AccountOwner, kind: AccountKind, coin: Coin) => {
    const [ownerId, attemptId] =
      owner === "house" ? ["house", ""] : [owner.userId, owner.attemptId];
    const { rows } = await sql<{ id: bigint }>`
      select open_account(${ownerId}, ${attemptId}, ${kind}, ${coin}) as id`.execute(db);
    const { id } = rows[0]!;
    trim(owners);
    owners.set(id, ownerId);
    return id;
  };
  return {
    account: (owner, kind, coin) => {
      const key = JSON.stringify([
        owner === "house" ? owner : [owner.userId, owner.attemptId],
        kind,
        coin,
      ]);
      const known = ids.get(key);
      if (known) return known;
      const opening = open(owner, kind, coin);
      trim(ids);
      ids.set(key, opening);
      opening.catch(() => ids.delete(key));
      return opening;
    },
    balances: async (attemptId) => {
      const { rows } = await sql<{ coin: Coin; kind: AccountKind; balance: bigint }>`
        select coin, kind, balance from account
        where attempt_id = ${attemptId} and not house and kind in ('wallet', 'held')`.execute(db);
      const of = (coin: Coin, kind: AccountKind) =>
        rows.find((row) => row.coin === coin && row.kind === kind)?.balance ?? 0n;
      return coinCodes.map((coin) => ({
        coin,
        available: of(coin, "wallet"),
        held: of(coin, "held"),
      }));
    },
    usersOf: async (accounts) => {
      const all = [...new Set(accounts)];
      const missing = all.filter((id) => !owners.has(id));
      if (missing.length > 0) {
        const { rows } = await sql<{ id: bigint; owner: string }>`
          select id, owner from account where id = any(${missing}::bigint[])`.execute(db);
        for (const { id, owner } of rows) {
          trim(owners);
          owners.set(id, owner);
        }
      }
      const users = new Set(all.map((id) => owners.get(id)));
      users.delete("house");
      users.delete(undefined);
      return [...users] as string[];
    },
  };
}

function trim(map: Map<unknown, unknown>): void {
  if (map.size < cacheMax) return;
  for (const key of map.keys()) {
    map.delete(key);
    return;
  }
}
