import { useMemo } from "react";
import type { Account } from "#api/records.ts";
import { findAccountAndRate } from "#api/routes/records.ts";
import { type MarketSymbol, symbols } from "#core/market/symbols.ts";
import { type Coin, coinScale } from "#core/money/coins.ts";
import { toMinorUnits } from "#core/money/decimal.ts";
import {
  type AccountResult,
  type AccountState,
  computeAccountResult,
} from "#core/records/accountResult.ts";
import { computeWorthIn, displayCurrency, type IndexOf } from "#core/wallet/valuation.ts";
import { useSession } from "#web/features/session/useSession.ts";
import { invalidate, useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useDisplay } from "#web/lib/display.ts";
import { type MessageOf, usePrices, useStreamEvent } from "#web/lib/stream.ts";

/**
 * The value of open positions moves with prices, so it is fetched again at this interval while on
 * screen.
 */
const refetchMs = 30_000;

export interface AccountView {
  state: AccountState;
  result: AccountResult;
  display: Coin;
  /** An amount of pUSDT, of either sign, in the display currency; null without a price. */
  inDisplay: (amount: bigint) => bigint | null;
}

/**
 * The person's total and result, by the one definition of `computeAccountResult`: amounts
 * as the server last reported them, coins in the wallet at the prices of this second.
 */
export function useAccount(enabled = true) {
  const { status } = useSession();
  const [display] = useDisplay();
  const prices = usePrices();
  useStreamEvent("balances", () => void invalidate(findAccountAndRate));
  const query = useApiQuery(
    findAccountAndRate,
    {},
    { enabled: enabled && status === "signed_in", refetchMs },
  );
  const account = query.data?.account ?? null;
  const view = useMemo(
    () => (account ? toView(account, display, createIndexLookup(prices)) : null),
    [account, display, prices],
  );
  return { view, query };
}

function toView(account: Account, display: Coin, index: IndexOf): AccountView {
  const state = { ...getState(account), ...getLive(account, index) };
  const inDisplay = (amount: bigint) => {
    const worth = computeWorthIn(displayCurrency, amount < 0n ? -amount : amount, display, index);
    return worth === null || amount >= 0n ? worth : -worth;
  };
  return { state, result: computeAccountResult(state), display, inDisplay };
}

/**
 * Free and held amounts at these prices; empty if one is missing, so that the server's values stay.
 */
function getLive({ balances }: Account, index: IndexOf): Partial<AccountState> {
  let [free, heldWorth]: [bigint, bigint] = [0n, 0n];
  for (const { coin, ...amounts } of balances) {
    const value = (text: string) =>
      computeWorthIn(coin, toMinorUnits(text, coinScale(coin)), displayCurrency, index);
    const [available, held] = [value(amounts.available), value(amounts.held)];
    if (available === null || held === null) return {};
    free += available;
    heldWorth += held;
  }
  return { free, held: heldWorth };
}

function getState(account: Account): AccountState {
  return {
    free: minor(account.free),
    held: minor(account.held),
    atWork: minors(account.at_work),
    broughtIn: minors(account.brought_in),
    takenOut: minors(account.taken_out),
    lineFlows: minors(account.line_flows),
    fees: minors(account.fees),
    spread: minors(account.spread),
  };
}

const minor = (text: string) => toMinorUnits(text, coinScale(displayCurrency));

function minors<Name extends string>(texts: Record<Name, string>): Record<Name, bigint> {
  const entries = Object.entries<string>(texts).map(([name, text]) => [name, minor(text)]);
  return Object.fromEntries(entries) as Record<Name, bigint>;
}

function createIndexLookup(prices: MessageOf<"prices"> | null): IndexOf {
  return (symbol: MarketSymbol) => {
    const price = prices?.prices[symbol];
    return price === null || price === undefined
      ? null
      : toMinorUnits(price, symbols[symbol].scale);
  };
}
