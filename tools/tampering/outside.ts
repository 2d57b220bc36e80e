/** The class that a table's changes are counted in. */
export function kindOf(table: string): string {
  return kinds.find(([form]) => form.test(table))?.[1] ?? "other";
}

const kinds: readonly [form: RegExp, kind: string][] = [
  [/^(journal|entry|account$|hold$|used_key|chain_|ledger_)/, "ledger"],
  [/^log_/, "log"],
  [/^(market_|kline|day_leaf)/, "market"],
  [/^contract/, "contracts"],
  [/^hosting_/, "hosting"],
  [/^mining_/, "mining"],
  [/^liability_/, "liabilities"],
  [/^(withdrawal|exchange|coin_send|send_|recharge|voucher)/, "wallet"],
  [/^(operator|person_)/, "operators"],
  [/^(user_|session_|account_|identity_|invit|address_book|practice_address|sign_up)/, "people"],
  [/^(migration|world$|encryption_state)/, "world"],
];

/**
 * What is no evidence of anything, by table or by table and column: it is not changed here, because
 * nobody could tell, and nothing that anybody is promised follows from it. Docs/measurements.md
 * names it too.
 */
export const noEvidence: readonly [form: RegExp, reason: string][] = [
  [
    /^(user_session|user_authorisation|operator_elevation|session_nonce|operator_nonce|operator_code|operator_call|operator_passphrase|operator_key|operator_key_challenge|operator_factor_reset)($|\.)/,
    "who is signed in, and that a repeated call is not carried out twice: a change signs somebody out, or an operator's repeated call is a second act of the audit",
  ],
  [
    /^(address_book|inbox_read|contract_follow|contract_limits|user_pin|user_account|user_address|send_recipient|lesson_run|identity_\w+|sign_up|class_link|invite_code|invitation|person_code|person_viewing|account_deletion|account_exclusion)($|\.)/,
    "what people set for themselves, and who they are: only they know it, and no money, price or outcome follows",
  ],
  [
    /^practice_address($|\.)/,
    "which address is whose, stated nowhere else: each person sees their own",
  ],
  [
    /^(instance_\w+|error_log|migration|encryption_state|hosting_head|ledger_audit|log_witness|backtest\w*|history\w*)($|\.)/,
    "how the server runs, as it measures and counts itself",
  ],
  [
    /^(publication|publication_version|news_read|contract_settings|operator|listing\w*)($|\.)/,
    "what screens show of what was published: the versions in the log are compared",
  ],
  [
    /^(exchange_quote|voucher|voucher_key|used_key|market_state|market_gap\.cause|mining_seed|mining_state|market_day\.(state|state_ms))($|\.)/,
    "what has not happened yet: what follows from a false one contradicts the log or the ledger once it does",
  ],
  [
    /^recharge\.(read_\w+|image\w*|mac_valid|closing_at_ms|due_at_ms|accepted_\w+|reason|worth|body_hash|seq|coin|network|amount)$/,
    "what a voucher's picture said before it was decided",
  ],
  [
    /_encrypted$/,
    "encrypted with a person's key: a changed byte cannot be opened, which that person sees",
  ],
  [
    /(\.recorded_at|\.created_at|_real_ms|\.opened_at_ms|\.opened_at_world_ms|\.published_at_ms|^log_\w+\.at_ms|^log_leaf\.at_ms|\.hourly)$/,
    "when the server wrote something in its own time, which decides nothing",
  ],
  [
    /^(hosting_mark\.(hold|frictionless|harsh)|hosting_pool\.(ordinal|suspended|started_at_ms|hold_start|gap_at_ms)|mining_machine\.ordinal|\w+_order\.seq|withdrawal\.(number|whole|network|price_index)|market_second\.volume)$/,
    "comparisons beside a chart, and the order of lists: stated nowhere else",
  ],
];

/** Why a table, or a column of it, is left alone; null for one that is changed. */
export function leftAlone(name: string): string | null {
  return noEvidence.find(([form]) => form.test(name))?.[1] ?? null;
}

/** Rows of a table that are evidence, where others are not. */
export const evidenceRows: Readonly<Record<string, string>> = {
  // Drawn from the first day's seed before anybody could trade; none is in the log.
  kline: "open_ms >= (select first_second_ms from market_state)",
  // Quotas of a day are counted and forgotten; they decide who may try again today.
  ledger_limit: "key not like 'until:%'",
  // Of recharges only what was credited is money.
  recharge: "outcome = 'credited'",
};

/** Rows whose loss is evidence, where that of others is not. */
export const missedRows: Readonly<Record<string, string>> = {
  // What older checkpoints said is in the newest, which is the one that readers are shown.
  log_checkpoint: "size = (select max(size) from log_checkpoint)",
};
