import type { AnswerOf } from "#api/call.ts";
import type { findAccountAndRate } from "#api/records.ts";
import { coinCodes, coinScale } from "#core/money/coins.ts";
import { formatDecimal } from "#core/money/decimal.ts";
import { displayCurrency } from "#core/wallet/valuation.ts";
import type { AccountFigures } from "#server/records/account.ts";

export type Account = NonNullable<AnswerOf<typeof findAccountAndRate>["account"]>;

/** An account's figures as on the wire; `before`: its result at the last midnight. */
export function toAccountView(
  { balances, state, result }: AccountFigures,
  before: bigint | null,
): Account {
  return {
    balances: coinCodes.map((coin) => {
      const coinBalances = balances.filter((balance) => balance.coin === coin);
      const amount = (kind: string) =>
        coinBalances.find((item) => item.kind === kind)?.balance ?? 0n;
      return {
        coin,
        available: formatDecimal(amount("wallet"), coinScale(coin)),
        held: formatDecimal(amount("held"), coinScale(coin)),
      };
    }),
    free: text(state.free),
    held: text(state.held),
    at_work: texts(state.atWork),
    brought_in: texts(state.broughtIn),
    taken_out: texts(state.takenOut),
    line_flows: texts(state.lineFlows),
    fees: texts(state.fees),
    spread: texts(state.spread),
    total: text(result.total),
    result: text(result.result),
    today: toText(before === null ? null : result.result - before),
    parts: texts(result.parts),
  };
}

function texts<Name extends string>(amounts: Readonly<Record<Name, bigint>>): Record<Name, string> {
  const entries = Object.entries<bigint>(amounts).map(([name, amount]) => [name, text(amount)]);
  return Object.fromEntries(entries) as Record<Name, string>;
}

const text = (value: bigint) => formatDecimal(value, coinScale(displayCurrency));

export function toText(value: bigint | null): string | null {
  return value === null ? null : text(value);
}
