import type { ExchangeStep } from "#api/exchange.ts";
import type { Coin } from "#core/money/coins.ts";

/** The person and the attempt an exchange belongs to. */
export interface ExchangeOwner {
  userId: string;
  attemptId: string;
}

/** Columns that quote and exchange rows share. `steps` as on the wire. */
export interface TermsRow {
  quote_id: string;
  from_coin: Coin;
  to_coin: Coin;
  given: bigint;
  received: bigint;
  at_index: bigint;
  steps: ExchangeStep[];
  index_second_ms: bigint;
  index_leaf: bigint;
}

export interface QuoteRow extends TermsRow {
  attempt_id: string;
  expires_real_ms: bigint;
}

export interface ExchangeRow extends TermsRow {
  journal_id: string;
  at_ms: bigint;
}

export const executeKind = "exchange.execute";
