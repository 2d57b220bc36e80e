import { type Coin, isCoin } from "#core/money/coins.ts";

const scheme = "drydock-practice:";

/** The content of Receive's QR code. No wallet knows this scheme, so none offers to pay it. */
export function writeAddressUri(address: string, coin: Coin): string {
  return `${scheme}${address}?coin=${coin}&practice=1`;
}

/**
 * Extracts the address (and coin) from typed, pasted or scanned text: a practice URI, or an address
 * possibly written in groups. Does not validate the address; `parseAddress` does.
 */
export function parseAddressUri(text: string): { address: string; coin: Coin | null } {
  const trimmed = text.trim();
  if (!trimmed.toLowerCase().startsWith(scheme))
    return { address: trimmed.replace(/\s+/g, ""), coin: null };
  const [address = "", query = ""] = trimmed.slice(scheme.length).split("?", 2);
  const coin = /(?:^|&)coin=([A-Za-z]+)(?:&|$)/.exec(query)?.[1] ?? "";
  return { address: address.replace(/\s+/g, ""), coin: isCoin(coin) ? coin : null };
}
