import { parseAddress } from "#core/addresses/address.ts";
import { type Coin, coinScale } from "#core/money/coins.ts";
import { parseDecimal } from "#core/money/decimal.ts";
import { listNetworks, type Network } from "#core/wallet/networks.ts";
import { computeWithdrawFee, decideWithdraw } from "#core/withdraw/withdraw.ts";

/** Minor units of the wire's decimal string; null if it is not one. */
export function parseMinorUnits(text: string, coin: Coin): bigint | null {
  const result = parseDecimal(text.endsWith(".") ? text.slice(0, -1) : text, coinScale(coin));
  return result.ok ? result.value : null;
}

export type AmountResult =
  | { ok: true; amount: bigint; fee: bigint; leaves: bigint }
  | { ok: false; error: "empty" | "overdraft" | "below" };

/**
 * The cost of an amount. `minimum` is the server's, in minor units, null when there is none now.
 * The server decides again with the price of that moment.
 */
export function parseWithdrawAmount(
  coin: Coin,
  text: string,
  available: bigint,
  minimum: bigint | null,
): AmountResult {
  const amount = parseMinorUnits(text, coin);
  if (amount === null || amount === 0n) return { ok: false, error: "empty" };
  // Without an index core requires no minimum; the server's, which uses one, is checked separately.
  const decision = decideWithdraw({ coin, requested: amount, available, index: null });
  if (!decision.ok && decision.error === "overdraft") return { ok: false, error: "overdraft" };
  if (amount < available && minimum !== null && amount < minimum)
    return { ok: false, error: "below" };
  const fee = computeWithdrawFee(coin, amount);
  return { ok: true, amount, fee, leaves: amount - fee };
}

export type DestinationResult =
  | { ok: true; address: string; network: Network }
  | { ok: false; error: "empty" | "malformed" | "checksum" }
  | { ok: false; error: "real"; chain: string }
  | { ok: false; error: "wrongNetwork"; network: Network };

/**
 * Checks by its form alone that a coin can be withdrawn to the typed destination; without a coin,
 * that it is an address of a practice network.
 */
export function parseDestination(coin: Coin | null, text: string): DestinationResult {
  const result = parseAddress(text.trim());
  if (!result.ok) {
    if (result.error === "real_chain")
      return { ok: false, error: "real", chain: result.chain ?? "" };
    if (result.error === "empty" || result.error === "checksum")
      return { ok: false, error: result.error };
    return { ok: false, error: "malformed" };
  }
  if (coin !== null && !listNetworks(coin).includes(result.network)) {
    return { ok: false, error: "wrongNetwork", network: result.network };
  }
  return { ok: true, address: result.address, network: result.network };
}
