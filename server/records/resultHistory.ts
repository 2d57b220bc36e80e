import { sql } from "kysely";
import type { MarketSymbol } from "#core/market/symbols.ts";
import type { Coin } from "#core/money/coins.ts";
import { computeWorth, valuedBy } from "#core/wallet/valuation.ts";
import { readIndexAt } from "#server/market/indexAt.ts";
import type { Db } from "#server/platform/db/database.ts";
import type { World } from "#server/platform/world.ts";
import type { Flow } from "#server/records/flows.ts";
import type { OwnAccount } from "#server/records/sources.ts";
import type { ReadInvested } from "#server/records/types.ts";

export interface HistoryRead {
  attemptId: string;
  accounts: readonly OwnAccount[];
  flows: readonly Flow[];
  inLine: readonly ReadInvested[];
}

/**
 * The result just before each moment of world time, by the definition of `computeAccountResult`: wallet
 * and value at work, plus outflows, less inflows. Null where a coin held then had no index.
 */
export async function readResultsAt(
  db: Db,
  world: World,
  { attemptId, accounts, flows, inLine }: HistoryRead,
  moments: readonly number[],
): Promise<(bigint | null)[]> {
  const [wallets, ...lines] = await Promise.all([
    readWalletsAt(db, world, accounts, moments),
    ...inLine.map((readInvested) => readInvested(attemptId, moments)),
  ]);
  return moments.map((atMs, index) => {
    let sum: bigint | null = wallets[index] ?? null;
    for (const line of lines) sum = plus(sum, line[index]?.get("pUSDT") ?? 0n);
    for (const flow of flows) {
      if (flow.atMs >= atMs) break;
      sum = flow.amount === null ? null : plus(sum, flow.to ? flow.amount : -flow.amount);
    }
    return sum;
  });
}

function plus(sum: bigint | null, amount: bigint): bigint | null {
  return sum === null ? null : sum + amount;
}

/** The wallet's value just before each moment, held amounts included. */
async function readWalletsAt(
  db: Db,
  world: World,
  accounts: readonly OwnAccount[],
  moments: readonly number[],
): Promise<(bigint | null)[]> {
  const { rows } = await sql<{ coin: Coin; point: bigint; balance: bigint }>`
    select a.coin, b.point, sum(b.balance)::bigint as balance
    from balances_before(${accounts.map(({ id }) => id)}::bigint[], ${[...moments]}::bigint[]) b
      join account a on a.id = b.account
    group by a.coin, b.point having sum(b.balance) <> 0`.execute(db);
  const pricedRows = rows.map((row) => ({ ...row, symbol: valuedBy[row.coin] }));
  const points = pricedRows.flatMap(({ symbol, point }) =>
    symbol === null ? [] : [{ symbol: symbol as MarketSymbol, atMs: Number(point) - 1 }],
  );
  const indexes = await readIndexAt(db, world, points);
  const sums = new Map<number, bigint | null>();
  let next = 0;
  for (const { coin, point, balance, symbol } of pricedRows) {
    const value = computeWorth(coin, balance, symbol === null ? null : indexes[next++]!);
    const before = sums.get(Number(point)) ?? (sums.has(Number(point)) ? null : 0n);
    sums.set(Number(point), before === null || value === null ? null : before + value);
  }
  return moments.map((atMs) => (sums.has(atMs) ? sums.get(atMs)! : 0n));
}
