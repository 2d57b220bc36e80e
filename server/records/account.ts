import { sql } from "kysely";
import type { Coin } from "#core/money/coins.ts";
import {
  type AccountResult,
  type AccountState,
  computeAccountResult,
  type WorkLine,
} from "#core/records/accountResult.ts";
import { computeWorth, valuedBy } from "#core/wallet/valuation.ts";
import type { Db } from "#server/platform/db/database.ts";
import type { Flow } from "#server/records/flows.ts";
import type { RecordsDeps } from "#server/records/types.ts";
import type { Prices } from "#server/wallet/wallet.ts";

/** Costs of a product line so far, in minor units of pUSDT when they were paid. */
export interface LineCosts {
  fees: bigint;
  spread: bigint;
}

/** The inputs of an attempt's result, besides the wallet's balances. */
export interface AccountFigures {
  balances: FiguresRead["balances"];
  state: AccountState;
  result: AccountResult;
}

export interface FiguresRead {
  balances: readonly { kind: "wallet" | "held"; coin: Coin; balance: bigint }[];
  /**
   * Current value inside each line, and amounts returned less amounts put in; null without an
   * index.
   */
  atWork: (line: WorkLine) => bigint | null;
  lineFlow: (line: WorkLine) => bigint | null;
  flows: readonly Flow[];
  costs: ReadonlyMap<string, LineCosts>;
}

/** Puts an attempt's figures together; null while a coin in them has no index. */
export function computeAccountFigures(figures: FiguresRead, prices: Prices): AccountFigures | null {
  const { balances, flows, costs, atWork, lineFlow } = figures;
  const free = sumIn(balances, "wallet", prices);
  const heldTotal = sumIn(balances, "held", prices);
  const valuesInside = {
    contract: atWork("contract"),
    hosting: atWork("hosting"),
    mining: atWork("mining"),
  };
  const lineFlows = {
    contract: lineFlow("contract"),
    hosting: lineFlow("hosting"),
    mining: lineFlow("mining"),
  };
  if (free === null || heldTotal === null || !known(valuesInside) || !known(lineFlows)) return null;
  const broughtIn = { start: 0n, recharge: 0n, transfer: 0n, reward: 0n };
  const takenOut = { withdraw: 0n, transfer: 0n };
  let withdrawFees: bigint = 0n;
  for (const { from, to, amount, fee } of flows) {
    if (amount === null || fee === null) return null;
    if (from) broughtIn[from] += amount;
    if (to) takenOut[to] += amount;
    withdrawFees += fee;
  }
  const computeCost = (line: string) => costs.get(line) ?? { fees: 0n, spread: 0n };
  const [contract, exchange] = [computeCost("contract"), computeCost("exchange")];
  const state: AccountState = {
    free,
    held: heldTotal,
    atWork: valuesInside,
    broughtIn,
    takenOut,
    lineFlows,
    fees: { contract: contract.fees, exchange: exchange.fees, withdraw: withdrawFees },
    spread: { contract: contract.spread, exchange: exchange.spread },
  };
  return { balances, state, result: computeAccountResult(state) };
}

function known<Name extends string>(
  values: Record<Name, bigint | null>,
): values is Record<Name, bigint> {
  return Object.values(values).every((value) => value !== null);
}

function sumIn(
  balances: FiguresRead["balances"],
  accountKind: "wallet" | "held",
  prices: Prices,
): bigint | null {
  const latest = prices.latest();
  let sum: bigint = 0n;
  for (const { kind, coin, balance } of balances) {
    if (kind !== accountKind) continue;
    const symbol = valuedBy[coin];
    const value = computeWorth(
      coin,
      balance,
      symbol === null ? null : (latest?.index[symbol] ?? null),
    );
    if (value === null) return null;
    sum += value;
  }
  return sum;
}

export async function readBalances(db: Db, attemptId: string): Promise<FiguresRead["balances"]> {
  const { rows } = await sql<{ kind: "wallet" | "held"; coin: Coin; balance: bigint }>`
    select kind, coin, balance from account
    where attempt_id = ${attemptId} and not house and kind in ('wallet', 'held')`.execute(db);
  return rows;
}

export async function readCosts(
  { records }: RecordsDeps["contributions"],
  attemptId: string,
): Promise<ReadonlyMap<string, LineCosts>> {
  const lines = records.flatMap(({ prefix, costs }) => (costs ? [{ prefix, costs }] : []));
  return new Map(
    await Promise.all(
      lines.map(async ({ prefix, costs }) => [prefix, await costs(attemptId)] as const),
    ),
  );
}
