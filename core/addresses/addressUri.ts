import { type Coin, coinScale, isCoin } from "#core/money/coins.ts";
import { parseDecimal } from "#core/money/decimal.ts";

const scheme = "drydock-practice:";

export interface AddressRequest {
  address: string;
  coin: Coin | null;
  /** The amount asked for, in the wire's form; null if the text names none that the coin can have. */
  amount: string | null;
}

/**
 * The content of Receive's QR code, with the amount asked for unless it is null. No wallet knows
 * this scheme, so none offers to pay it.
 */
export function writeAddressUri(address: string, coin: Coin, amount: string | null = null): string {
  const uri = `${scheme}${address}?coin=${coin}&practice=1`;
  return amount === null ? uri : `${uri}&amount=${amount}`;
}

/**
 * Extracts the address (with coin and amount) from typed, pasted or scanned text: a practice URI,
 * or an address possibly written in groups. Does not validate the address; `parseAddress` does.
 */
export function parseAddressUri(text: string): AddressRequest {
  const bare = text.trim();
  if (!bare.toLowerCase().startsWith(scheme))
    return { address: bare.replace(/\s+/g, ""), coin: null, amount: null };
  const [address = "", query = ""] = bare.slice(scheme.length).split("?", 2);
  const name = /(?:^|&)coin=([A-Za-z]+)(?:&|$)/.exec(query)?.[1] ?? "";
  const coin = isCoin(name) ? name : null;
  return { address: address.replace(/\s+/g, ""), coin, amount: coin && findAmount(query, coin) };
}

function findAmount(query: string, coin: Coin): string | null {
  const amount = /(?:^|&)amount=([0-9.]+)(?:&|$)/.exec(query)?.[1] ?? "";
  const result = parseDecimal(amount, coinScale(coin));
  return result.ok && result.value > 0n ? amount : null;
}
