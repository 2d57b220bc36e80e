import { parseAddress } from "#core/addresses/address.ts";
import type { Coin } from "#core/money/coins.ts";
import { isCarriedBy, type Network } from "#core/wallet/networks.ts";
import { toAddressApiError } from "#server/addresses/addressError.ts";
import { ApiError } from "#server/platform/apiError.ts";

export interface Destination {
  network: Network;
  /** Lower case. */
  address: string;
}

/**
 * Parses a practice address that can carry `coin`, by its form alone, ignoring surrounding
 * whitespace; throws the ApiError that names the fault.
 */
export function requireDestination(coin: Coin, text: string): Destination {
  const result = parseAddress(text.trim());
  if (!result.ok) throw toAddressApiError(result);
  if (!isCarriedBy(result.network, coin)) {
    throw new ApiError("address.wrong_network", { network: result.network, coin });
  }
  return { network: result.network, address: result.address };
}
