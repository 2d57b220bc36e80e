/**
 * The outcomes of posting a journal, in the order the posting function checks them: the first that
 * applies is the outcome.
 *
 * `retry`: the same journal may post later unchanged. Of the rest, those that depend on account
 * balances (`stored`) use up the id: the same journal gets the same outcome forever, so a rejected
 * posting or hold can never be committed afterwards.
 */
export const postOutcomes = {
  posted: { retry: false, stored: false },
  /** This id was already posted, with the same body. */
  duplicate: { retry: false, stored: false },
  /** This id was already used, with another body. */
  body_changed: { retry: false, stored: false },
  /**
   * This id was used up by an error raised before the ledger was reached; the stored error is the
   * answer.
   */
  key_refused: { retry: false, stored: false },
  /** Fewer than two legs, or legs that do not sum to zero in each coin. */
  unbalanced: { retry: false, stored: false },
  account_unknown: { retry: false, stored: false },
  /** A zero leg, or a sum beyond 64 bits. */
  amount_invalid: { retry: false, stored: false },
  hold_unknown: { retry: false, stored: true },
  /** The hold was already posted or voided. */
  hold_not_pending: { retry: false, stored: true },
  /** The legs do not move exactly the held amount, or touch held money without naming its hold. */
  hold_mismatch: { retry: false, stored: true },
  overdraft: { retry: false, stored: true },
  /** A limit row is full; whether that is final is up to the domain that owns the limit. */
  limit_full: { retry: true, stored: false },
} as const satisfies Record<string, { retry: boolean; stored: boolean }>;

export type PostOutcome = keyof typeof postOutcomes;

export const postOutcomeNames = Object.keys(postOutcomes) as PostOutcome[];

/** Returns true if the journal is in the ledger: posted now, or earlier with the same body. */
export function isPosted(outcome: PostOutcome): boolean {
  return outcome === "posted" || outcome === "duplicate";
}
