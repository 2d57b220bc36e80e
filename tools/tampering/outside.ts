/** The class that a table's changes are counted in; null for one that is left alone. */
export function kindOf(table: string): string | null {
  return kinds.find(([form]) => form.test(table))?.[1] ?? "other";
}

const kinds: readonly [form: RegExp, kind: string | null][] = [
  [/^(journal|entry|account|hold|used_key|chain_|ledger_)/, "ledger"],
  [/^log_/, "log"],
  [/^(market_|kline)/, "market"],
  [/^contract/, "contracts"],
  [/^hosting_/, "hosting"],
  [/^mining_/, "mining"],
  [/^liability_/, "liabilities"],
  [/^(withdrawal|exchange|coin_send|send_|recharge|voucher)/, "wallet"],
  [/^(operator|person_)/, "operators"],
  // The people who check are signed in by these: a change would only end their looking.
  [/^(user_session|user_authorisation|operator_elevation)$/, null],
  [/^(user_|session_|account_|identity_|invit|address_book|practice_address|sign_up)/, "people"],
  [/^(migration|world$|encryption_state)/, "world"],
];

/** Why no one can find a change, by the beginning of what was changed. */
const reasons: readonly [form: RegExp, reason: string][] = [];

export function outside(what: string): string | null {
  return reasons.find(([form]) => form.test(what))?.[1] ?? null;
}
