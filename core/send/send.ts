import { type Coin, coinColumn } from "#core/money/coins.ts";

const withdrawFees = coinColumn("withdrawFee");

/**
 * The least that can be sent, in minor units: a hundredth of the coin's withdrawal fee, about a US
 * cent. A smaller amount would only clutter the recipient's records.
 */
export function getSendMin(coin: Coin): bigint {
  return withdrawFees[coin] / 100n;
}

/** The most first-time recipients of one wallet in a real day: enough for two classes of thirty. */
export const newRecipientsPerDay = 60;
