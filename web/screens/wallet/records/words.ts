import type { WalletRecord } from "#api/records.ts";
import type { Translate } from "#i18n/useText.ts";

/**
 * Journal kinds, with an underscore for the dot, that have their own messages; others use their
 * group's.
 */
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

/** The event, in words. */
export function getRecordTitle({ type, group, amount, act }: WalletRecord, t: Translate): string {
  if (act) return t("records.kind.console", { role: act.role });
  const name = type.replace(".", "_");
  if (name === "send_move") {
    return t(`records.kind.send_${amount?.startsWith("-") ? "out" : "in"}`);
  }
  if (kinds.has(name)) return t(`records.kind.${name}`);
  return t(`records.group.${group}`);
}

/**
 * The change of each coin's available balance, or of the held one if that alone moved; coins in
 * order of the legs.
 */
export function listChanges({ legs }: WalletRecord) {
  const wallet = legs.filter(({ account }) => account === "wallet");
  const shownLegs = wallet.length > 0 ? wallet : legs;
  return [...Map.groupBy(shownLegs, ({ coin }) => coin).values()].map((coinLegs) => ({
    coin: coinLegs[0]!.coin,
    amounts: coinLegs.map(({ amount }) => amount),
    balanceAfter: coinLegs.at(-1)!.balance_after,
    held: wallet.length === 0,
  }));
}
