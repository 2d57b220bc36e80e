/** The class under which a table's changes are counted. */
export function getTableKind(table: string): string {
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
  [/^(operator|person_|publication|class_link)/, "operators"],
  [
    /^(user_|session_|account_|identity_|invit|address_book|practice_address|sign_up|attempt_)/,
    "people",
  ],
  [/^(migration|world$|encryption_state)/, "world"],
];

/**
 * Tables and columns that are not changed here, because no signature, leaf or posting states their
 * content: each with the reason why no balance, price or outcome follows from it.
 * docs/decisions/257 lists them too.
 */
export const noEvidence: readonly [form: RegExp, reason: string][] = [
  [
    /^(user_session|user_authorisation|operator_elevation|session_nonce|operator_nonce|operator_code|operator_passphrase|operator_key|operator_key_challenge|operator_factor_reset)($|\.)/,
    "who is signed in and by what they prove it: whoever has the machine can sign anybody out, and a forged operator still leaves acts in the log",
  ],
  [
    /^(operator_call|used_key|exchange_quote)($|\.)/,
    "requests that were refused, or are kept for a repeat: a lost one is carried out again, which is a posting or an act of its own",
  ],
  [
    /^(contract_limits|contract_follow|address_book|inbox_read|news_read|user_pin|send_recipient|lesson_run|lesson_sitting|receipt_link|person_code|person_viewing)($|\.)/,
    "what people set for themselves, limits and exclusions among them: nothing signed says what it was. A limit that was lifted lets its owner place orders, at published terms; the owner sees it in their settings",
  ],
  [
    /^(user_address|identity_\w+|invite_code|account_exclusion)($|\.)/,
    "who somebody is: a change keeps them out or lets them in, and moves nothing; an account's owner is bound in its chain",
  ],
  [
    /^user_account\.(language|invite_code|custom_service_url|suspended_at_ms|erased_at_ms)$|^account_deletion\.|^class_link\.(created_at_ms|by_user_id|expires_at_ms|joined_max|closed_at_ms)$|^operator\.(since_ms|ended_at_ms)$|^invitation\.(invitation_id|class_id|answered_at_ms|joined_at_ms|lesson_at_ms|decided_at_ms)$/,
    "how they wish to be addressed, ids that nothing refers to, and the exact time of what was done: that it was done, or not, is compared with the acts in the log",
  ],
  [
    /^(instance_\w+|error_log|migration|encryption_state|hosting_head|ledger_audit|log_witness|backtest\w*)($|\.)/,
    "how the server runs, as it measures and counts itself, and what people computed for themselves",
  ],
  [
    /^publication\.(seq|revision|draft|publish_at_ms|refused|created_at_ms|changed_at_ms|changed_by|scheduled_by)$|^publication_version\.published_by$/,
    "drafts, which nobody has seen: once published, a text is compared with the log",
  ],
  [
    /^(voucher|voucher_key)($|\.)/,
    "vouchers that nobody has sent: those that were credited are compared with the ledger",
  ],
  [
    /^(mining_seed|mining_state)($|\.)|^world\.clock_world_ms$|^market_day\.(start_state|state|state_ms)$|^market_gap\.cause$/,
    "what the next second or hour is made from: a false one contradicts the seeds in the log once it is published (npm run verify -- --day)",
  ],
  [
    /^recharge\.(image\w*|read_expires_at_ms|seq|worth)$|^withdrawal\.(network|price_index)$/,
    "what was on a picture or at the moment of asking: the amount, the fee and the address are decided by others",
  ],
  [
    /_encrypted$/,
    "encrypted with a person's key: a changed byte cannot be opened, which that person sees",
  ],
  [
    /(\.recorded_at|\.created_at|_real_ms|^log_(leaf|checkpoint|cosigned_checkpoint)\.at_ms|^log_\w+\.hourly|^attempt_closing\.settled_at_ms|^user_attempt\.opened_at_world_ms|_terms\.published_at_ms)$/,
    "when the server wrote something by its own clock, which decides nothing",
  ],
  [
    /^(hosting_history_test($|\.)|hosting_mark\.(hold|frictionless|harsh)|hosting_pool\.(ordinal|suspended|started_at_ms|hold_start|gap_at_ms)|mining_machine\.ordinal|\w+_order\.seq|mining_lease\.seq|person_audit_event\.(seq|event_id|role|what|at_ms|recorded_at_ms)|withdrawal\.number)$/,
    "comparisons beside a chart, the order of lists, and words in a person's language for an act whose sealed opening they have: used by no rule",
  ],
];

/** Why a table or column is exempt; null if it is changed. */
export function getExemptReason(name: string): string | null {
  return noEvidence.find(([form]) => form.test(name))?.[1] ?? null;
}

/** Rows of a table that are evidence, where others are not. */
export const evidenceRows: Readonly<Record<string, string>> = {
  // Drawn from the first day's seed before any trade; none is in the log.
  kline: "open_ms >= (select first_second_ms from market_state)",
  // Daily quotas are counted and then discarded; they only limit further attempts on the same day.
  // A count of zero is equivalent to no row.
  ledger_limit: "key not like 'until:%' and used <> 0",
  // Only credited recharges and invitations are money.
  recharge: "outcome = 'credited'",
  invitation: "outcome = 'rewarded'",
  // Drafts are not evidence.
  publication: "version > 0",
  // Shadows are comparisons; and after a trade the state is published with the next mark only.
  hosting_state: `friction = 'realistic' and not exists (select from hosting_trade t
    join hosting_pool p on p.id = t.pool_id where t.pool_id = hosting_state.pool_id
      and t.decided_at_ms >= p.mark_at_ms)`,
  // Volumes are not in the log; those of whole minutes are in klines, which are compared.
  market_second: `second_ms < (select klines_until_ms from market_state)`,
};

/** Rows whose loss is evidence, where that of others is not. */
export const missedRows: Readonly<Record<string, string>> = {
  // The newest checkpoint, which readers are shown, covers the older ones.
  log_checkpoint: "size = (select max(size) from log_checkpoint)",
  log_cosigned_checkpoint: "false",
  // They are kept until the person's account is deleted.
  operator_audit_event_text: "false",
};
