import type { Coin } from "#core/money/coins.ts";

/** The owner of the withdrawal, and the attempt it belongs to. */
export interface WithdrawOwner {
  userId: string;
  attemptId: string;
}

/** A person's request, as on the wire. */
export interface WithdrawParams {
  coin: Coin;
  /** Decimal, or `all`. */
  amount: string;
  address: string;
  /** The person's own attempt that it leaves from; without it the owner's. */
  attempt_id?: string | undefined;
}

/** The cause that ended a withdrawal. */
export type EndedBy = "time" | "day" | "operator" | "person";

/** The operator who let one leave early, in which role and why: shown to the person. */
export interface PayNowAction {
  operatorId: string;
  role: string;
  reason: string;
}

/** A row of `withdrawal`: the address, and why an operator let it leave early, are encrypted. */
export interface StoredWithdrawal {
  id: string;
  number: bigint;
  user_id: string;
  attempt_id: string;
  coin: Coin;
  amount: bigint;
  fee: bigint;
  is_whole_balance: boolean;
  network: string;
  address_encrypted: Buffer;
  price_index: bigint | null;
  placed_at_ms: bigint;
  placed_real_ms: bigint;
  cancel_until_ms: bigint;
  outcome: "left" | "cancelled" | null;
  ended_by: EndedBy | null;
  ended_at_ms: bigint | null;
  ended_journal: string | null;
  early_payment: Omit<PayNowAction, "reason"> | null;
  early_payment_reason_encrypted: Buffer | null;
}

/** The same, decrypted. */
export interface WithdrawalRow extends Omit<StoredWithdrawal, "early_payment"> {
  /** Empty if the person's key is gone. */
  address: string;
  early_payment: PayNowAction | null;
}

export const placeKind = "withdraw.place";
export const completionKind = "withdraw.leave";
export const cancelKind = "withdraw.cancel";
