import { type Coin, isCoin } from "#core/money/coins.ts";

const scheme = "drydock-practice:";

/** What Receive's QR code holds: no wallet knows this scheme, so that none offers to pay it. */
export function writeAddressUri(address: string, coin: Coin): string {
  return `${scheme}${address}?coin=${coin}&practice=1`;
}

/**
 * The address (and coin) in what was typed, pasted or scanned: a practice URI, or an address that
 * may stand in groups. Says nothing of whether it is a good one; that is `readAddress`'s.
 */
export function readAddressUri(text: string): { address: string; coin: Coin | null } {
  const bare = text.trim();
  if (!bare.toLowerCase().startsWith(scheme))
    return { address: bare.replace(/\s+/g, ""), coin: null };
  const [address = "", query = ""] = bare.slice(scheme.length).split("?", 2);
  const coin = /(?:^|&)coin=([A-Za-z]+)(?:&|$)/.exec(query)?.[1] ?? "";
  return { address: address.replace(/\s+/g, ""), coin: isCoin(coin) ? coin : null };
}
