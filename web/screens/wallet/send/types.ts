import type { AnswerOf } from "#api/call.ts";
import type { checkRecipient } from "#api/send.ts";
import type { Coin } from "#core/money/coins.ts";

export type CheckedRecipient = AnswerOf<typeof checkRecipient>;

/** The transfer to confirm, in the form of the wire. */
export interface SendParams {
  coin: Coin;
  amount: string;
  recipient: CheckedRecipient;
}
