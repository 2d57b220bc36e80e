/**
 * The one definition of an attempt's result (docs/rules/records.md, "The result"). Every screen,
 * the attempts and the export read it from here. Amounts in minor units of pUSDT.
 */

/** Product lines in which money can be at work. */
export const workLines = ["contract", "hosting", "mining"] as const;
export type WorkLine = (typeof workLines)[number];

/** Ways money comes in and goes out without being a result. */
export const inflows = ["start", "recharge", "transfer", "reward"] as const;
export const outflows = ["withdraw", "transfer"] as const;
export type Inflow = (typeof inflows)[number];
export type Outflow = (typeof outflows)[number];

/** The sources of fees and of prices off the market's. */
export const feeSources = ["contract", "exchange", "withdraw"] as const;
export const spreadSources = ["contract", "exchange"] as const;

/** The balances of an attempt, and every flow in or out of it. */
export interface AccountState {
  /** In the wallet: the available amount, and the amount held for a withdrawal. */
  free: bigint;
  held: bigint;
  /** Current value inside each product line. */
  atWork: Readonly<Record<WorkLine, bigint>>;
  /** Flows, valued when they moved; not negative. */
  broughtIn: Readonly<Record<Inflow, bigint>>;
  takenOut: Readonly<Record<Outflow, bigint>>;
  /** The amount returned by each product line, less the amount put in. */
  lineFlows: Readonly<Record<WorkLine, bigint>>;
  /** Costs, valued when they were paid; not negative. */
  fees: Readonly<Record<(typeof feeSources)[number], bigint>>;
  spread: Readonly<Record<(typeof spreadSources)[number], bigint>>;
}

/** The sources of a result, in display order. */
export const resultParts = ["fees", "spread", "luck", "hosting", "mining", "price"] as const;
export type ResultPart = (typeof resultParts)[number];

export interface AccountResult {
  /** Free + at work + held. */
  total: bigint;
  atWork: bigint;
  broughtIn: bigint;
  takenOut: bigint;
  /** Total + taken out − brought in. */
  result: bigint;
  /** Each line's own result: amounts returned and current value, less amounts put in. */
  lines: Readonly<Record<WorkLine, bigint>>;
  /** Signed; they sum to `result` exactly. */
  parts: Readonly<Record<ResultPart, bigint>>;
}

/**
 * Computes the total, the result and its parts. Flows are neither gain nor loss. Luck is the result
 * of the settled orders less the expected result of coin flips at their terms, which is minus fees
 * and spread. Price is what remains: coins that rose or fell while they were owned, and the digits
 * that rounding dropped.
 */
export function computeAccountResult(state: AccountState): AccountResult {
  const { free, held, atWork, lineFlows } = state;
  const [work, fees, spread] = [sumUp(atWork), -sumUp(state.fees), -sumUp(state.spread)];
  const [broughtIn, takenOut] = [sumUp(state.broughtIn), sumUp(state.takenOut)];
  const total = free + held + work;
  const result = total + takenOut - broughtIn;
  const lines = {
    contract: lineFlows.contract + atWork.contract,
    hosting: lineFlows.hosting + atWork.hosting,
    mining: lineFlows.mining + atWork.mining,
  };
  const luck = lines.contract + state.fees.contract + state.spread.contract;
  const { hosting, mining } = lines;
  const price = result - fees - spread - luck - hosting - mining;
  const parts = { fees, spread, luck, hosting, mining, price };
  return { total, atWork: work, broughtIn, takenOut, result, lines, parts };
}

function sumUp(amounts: Readonly<Record<string, bigint>>): bigint {
  return Object.values(amounts).reduce((sum, amount) => sum + amount, 0n);
}
