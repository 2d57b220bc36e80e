/**
 * Every name a refusal can carry, with the HTTP status that fits and whether the same request may succeed later unchanged
 * (`retry`: such a refusal does not use up an idempotency key). Each name has a sentence in `i18n/<locale>/errors.json`
 * that says what to do next.
 */
export const errors = {
  "request.malformed": { status: 400, retry: false },
  "request.too_large": { status: 413, retry: false },
  "request.not_found": { status: 404, retry: false },
  "request.too_many": { status: 429, retry: true },
  "request.wrong_host": { status: 403, retry: false },
  "server.failed": { status: 500, retry: true },
  "server.unavailable": { status: 503, retry: true },
  "session.required": { status: 401, retry: true },
  "session.nonce_unknown": { status: 403, retry: false },
  "session.nonce_expired": { status: 403, retry: false },
  "session.nonce_used": { status: 403, retry: false },
  "session.message_malformed": { status: 400, retry: false },
  "session.message_mismatch": { status: 403, retry: false },
  "session.signature_wrong": { status: 403, retry: false },
  "session.contract_wallet": { status: 403, retry: false },
  "session.type_unknown": { status: 400, retry: false },
  "session.invite_unknown": { status: 404, retry: false },
  "session.unknown": { status: 404, retry: false },
  "session.suspended": { status: 403, retry: true },
  "terms.required": { status: 403, retry: true },
  "terms.version_unknown": { status: 404, retry: false },
  "terms.authorisation_unknown": { status: 404, retry: false },
  "idempotency.key_missing": { status: 400, retry: false },
  "idempotency.key_malformed": { status: 400, retry: false },
  "idempotency.body_changed": { status: 409, retry: false },
  "money.coin_unknown": { status: 400, retry: false },
  "money.amount_malformed": { status: 400, retry: false },
  "money.excess_digits": { status: 400, retry: false },
  "money.amount_too_large": { status: 400, retry: false },
  "ledger.overdraft": { status: 409, retry: false },
  "ledger.refused": { status: 409, retry: false },
  "contracts.unknown": { status: 404, retry: false },
  "contracts.off": { status: 403, retry: true },
  "contracts.terms_changed": { status: 409, retry: false },
  "contracts.tier_unknown": { status: 404, retry: false },
  "contracts.stake_too_small": { status: 400, retry: false },
  "contracts.stake_too_large": { status: 400, retry: false },
  "contracts.tier_used_up": { status: 409, retry: false },
  "contracts.exposure_full": { status: 409, retry: true },
  "contracts.no_price": { status: 503, retry: true },
  "contracts.recording_ended": { status: 409, retry: false },
  "contracts.log_behind": { status: 503, retry: true },
  "contracts.loss_limit": { status: 409, retry: false },
  "contracts.excluded": { status: 403, retry: false },
  "contracts.limit_not_lower": { status: 409, retry: false },
  "contracts.exclusion_not_longer": { status: 409, retry: false },
  "contracts.order_unknown": { status: 404, retry: false },
  "contracts.receipt_not_ready": { status: 409, retry: true },
  "market.symbol_unknown": { status: 404, retry: false },
  "log.size_unknown": { status: 404, retry: false },
} as const satisfies Record<string, { status: number; retry: boolean }>;

export type ErrorName = keyof typeof errors;

/** Refusals that any call can meet. */
export const commonErrors = [
  "request.malformed",
  "request.too_large",
  "request.too_many",
  "request.wrong_host",
  "server.failed",
  "server.unavailable",
] as const satisfies ErrorName[];
