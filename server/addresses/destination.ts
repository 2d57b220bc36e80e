import { readAddress } from "#core/addresses/address.ts";
import type { Coin } from "#core/money/coins.ts";
import { carries, type Network } from "#core/wallet/networks.ts";
import { apiErrorOfAddress } from "#server/addresses/addressError.ts";
import { ApiError } from "#server/platform/apiError.ts";

export interface Destination {
  network: Network;
  /** Lower case. */
  address: string;
}

/**
 * A practice address that carries `coin`, by its form alone, or the Refusal that names what is
 * wrong with the text. Blanks around it are no part of it.
 */
export function requireDestination(coin: Coin, text: string): Destination {
  const read = readAddress(text.trim());
  if (!read.ok) throw apiErrorOfAddress(read);
  if (!carries(read.network, coin)) {
    throw new ApiError("address.wrong_network", { network: read.network, coin });
  }
  return { network: read.network, address: read.address };
}
