import { sql } from "kysely";
import type { Coin } from "#core/money/coins.ts";
import type { Inflow, Outflow } from "#core/records/accountResult.ts";
import { computeWorth, valuedBy } from "#core/wallet/valuation.ts";
import { type Moment, readIndexAt } from "#server/market/indexAt.ts";
import type { Db } from "#server/platform/db/database.ts";
import type { World } from "#server/platform/world.ts";
import type { OwnAccount } from "#server/records/sources.ts";

/** Money that came in or went out, in minor units of pUSDT at the index of its moment. */
export interface Flow {
  atMs: number;
  from: Inflow | null;
  to: Outflow | null;
  /** The amount that came in, or left; null where its coin had no index then. */
  amount: bigint | null;
  /** The fee that was taken out of it. */
  fee: bigint | null;
}

const inflowOf: Readonly<Record<string, Inflow>> = {
  attempt: "start",
  recharge: "recharge",
  send: "transfer",
  reward: "reward",
};
const outflowOf: Readonly<Record<string, Outflow>> = { withdraw: "withdraw", send: "transfer" };
const flowPrefixes = [...new Set([...Object.keys(inflowOf), ...Object.keys(outflowOf)])];

interface FlowRow {
  prefix: string;
  coin: Coin;
  at_ms: bigint;
  amount: bigint;
  fee: bigint;
}

/**
 * Flows of the accounts in their entries after `from`, oldest first. A hold only moves money within
 * the attempt, so it appears once it has left.
 */
export async function readFlows(
  db: Db,
  world: World,
  accounts: readonly OwnAccount[],
  from: readonly bigint[],
): Promise<Flow[]> {
  if (accounts.length === 0) return [];
  const { rows } = await sql<FlowRow>`
    with moved as (
      select w.coin, split_part(j.kind, '.', 1) as prefix, j.id, j.at_ms, sum(e.amount)::bigint as amount
      from unnest(${accounts.map(({ id }) => id)}::bigint[], ${accounts.map(({ coin }) => coin)}::text[],
          ${[...from]}::bigint[], ${accounts.map(({ version }) => version)}::bigint[]) w (account, coin, after, upto)
        join entry e on e.account = w.account and e.version > w.after and e.version <= w.upto
        join journal j on j.id = e.journal_id
      where split_part(j.kind, '.', 1) = any(${flowPrefixes}::text[])
      group by w.coin, j.id
      having sum(e.amount) <> 0
    )
    select m.prefix, m.coin, m.at_ms, m.amount, coalesce((
        select sum(f.amount) from entry f join account a on a.id = f.account
        where f.journal_id = m.id and a.house and a.kind = 'fees' and a.coin = m.coin), 0)::bigint as fee
    from moved m order by m.at_ms`.execute(db);
  return valueFlows(db, world, rows);
}

async function valueFlows(db: Db, world: World, rows: readonly FlowRow[]): Promise<Flow[]> {
  const moments = rows.flatMap(({ coin, at_ms: atMs }): Moment[] => {
    const symbol = valuedBy[coin];
    return symbol === null ? [] : [{ symbol, atMs: Number(atMs) }];
  });
  const indexes = await readIndexAt(db, world, moments);
  let next = 0;
  return rows.map(({ prefix, coin, at_ms: atMs, amount, fee }) => {
    const index = valuedBy[coin] === null ? null : indexes[next++]!;
    const size = amount < 0n ? -amount : amount;
    const [sizeWorth, cost] = [computeWorth(coin, size, index), computeWorth(coin, fee, index)];
    return {
      atMs: Number(atMs),
      from: amount > 0n ? (inflowOf[prefix] ?? null) : null,
      to: amount < 0n ? (outflowOf[prefix] ?? null) : null,
      // The flow is the rest, so that fee and flow together are the balance's loss.
      amount: sizeWorth === null || cost === null ? null : sizeWorth - cost,
      fee: cost,
    };
  });
}
