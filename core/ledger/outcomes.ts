/**
 * What can become of a journal, in the order in which the posting function looks: the first that
 * fits is the outcome.
 *
 * `retry`: the same journal may post later unchanged. Of the others, those that depend on what the
 * accounts held (`remembered`) use the id up: the same journal gets the same outcome for ever, so
 * that a rejected posting or hold can never be committed afterwards.
 */
export const postOutcomes = {
  posted: { retry: false, stored: false },
  /** This id was posted before, with this body. */
  duplicate: { retry: false, stored: false },
  /** This id was used before, with another body. */
  body_changed: { retry: false, stored: false },
  /**
   * This id was used up by a refusal that was made before the ledger was asked; the remembered
   * refusal is the answer.
   */
  key_refused: { retry: false, stored: false },
  /** Fewer than two legs, or legs that do not sum to zero in each coin. */
  unbalanced: { retry: false, stored: false },
  account_unknown: { retry: false, stored: false },
  /** A leg of zero, or a sum past what 64 bits hold. */
  amount_invalid: { retry: false, stored: false },
  hold_unknown: { retry: false, stored: true },
  /** The hold was posted or voided already. */
  hold_not_pending: { retry: false, stored: true },
  /** The legs do not move exactly what is held, or touch held money without naming its hold. */
  hold_mismatch: { retry: false, stored: true },
  overdraft: { retry: false, stored: true },
  /**
   * A limit row has no room; whether that is final is for the domain that owns the limit to say.
   */
  limit_full: { retry: true, stored: false },
} as const satisfies Record<string, { retry: boolean; stored: boolean }>;

export type PostOutcome = keyof typeof postOutcomes;

export const postOutcomeNames = Object.keys(postOutcomes) as PostOutcome[];

/** Whether the journal stands in the ledger: posted now, or before with the same body. */
export function stands(outcome: PostOutcome): boolean {
  return outcome === "posted" || outcome === "duplicate";
}
