import type { Coin } from "#core/money/coins.ts";
import type { Network } from "#core/wallet/networks.ts";

/** A row of `coin_send`. */
export interface SendRow {
  journal_id: string;
  user_id: string;
  attempt_id: string;
  to_user_id: string;
  to_attempt_id: string;
  coin: Coin;
  amount: bigint;
  network: Network;
  from_address: string;
  to_address: string;
  at_ms: bigint;
}

export interface SendParams {
  coin: Coin;
  address: string;
  /** Decimal. */
  amount: string;
}

export interface SendOwner {
  userId: string;
  attemptId: string;
}

export const sendKind = "send.move";
