import type { IntlShape } from "react-intl";
import type { WalletRecord } from "#api/records.ts";

/** Kinds of journals, with a line for their point, that have words of their own; the rest are told by their group. */
const kinds = new Set([
  "attempt_start",
  "recharge_credit",
  "withdraw_place",
  "withdraw_leave",
  "withdraw_cancel",
  "exchange_execute",
  "contract_open",
  "contract_settle",
  "contract_void",
  "hosting_subscribe",
  "hosting_redeem",
  "hosting_trade",
  "mining_lease",
  "mining_payout",
  "mining_power",
  "mining_refund",
  "reward_invitation",
]);

/** What happened, in words. */
export function titleOf(
  { type, group, amount, act }: WalletRecord,
  { formatMessage }: IntlShape,
): string {
  if (act) return formatMessage({ id: "records.kind.console" }, { role: act.role });
  const name = type.replace(".", "_");
  if (name === "send_move") {
    return formatMessage({ id: `records.kind.send_${amount?.startsWith("-") ? "out" : "in"}` });
  }
  if (kinds.has(name)) return formatMessage({ id: `records.kind.${name}` });
  return formatMessage({ id: `records.group.${group}` });
}

/** What changed in each coin's available balance, or in what is held where that alone moved; coins in order of the legs. */
export function changesOf({ legs }: WalletRecord) {
  const wallet = legs.filter(({ account }) => account === "wallet");
  const shown = wallet.length > 0 ? wallet : legs;
  return [...Map.groupBy(shown, ({ coin }) => coin).values()].map((own) => ({
    coin: own[0]!.coin,
    amounts: own.map(({ amount }) => amount),
    balanceAfter: own.at(-1)!.balance_after,
    held: wallet.length === 0,
  }));
}

/** The word for a fact's name; the name itself where there is none. */
export function factName(name: string, { messages, formatMessage }: IntlShape): string {
  const id = `records.fact.${name}`;
  return Object.hasOwn(messages, id) ? formatMessage({ id }) : name;
}

/** The word for a value of a closed list; the value itself where there is none. */
export function factWord(
  name: string,
  value: string,
  { messages, formatMessage }: IntlShape,
): string {
  const id = `records.value.${name}.${value}`;
  return Object.hasOwn(messages, id) ? formatMessage({ id }) : value;
}
