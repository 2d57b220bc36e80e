import type { Wallet } from "#web/features/session/provider.ts";
import { browserStorage } from "#web/lib/storage.ts";

/**
 * With what the person last signed in here: the practice wallet, or a browser wallet by its
 * EIP-6963 name ("io.metamask"; empty when it has none). Only then may an address be shown: a
 * practice wallet's never is.
 */
export type UsedWallet = { kind: "practice" } | { kind: "browser"; rdns: string } | null;

let known: UsedWallet | undefined;
let heard: Wallet["onChange"] | null = null;

export function usedWallet(): UsedWallet {
  if (known !== undefined) return known;
  const text = browserStorage.read("wallet");
  if (text === "practice") known = { kind: "practice" };
  else if (text?.startsWith("browser:")) known = { kind: "browser", rdns: text.slice(8) };
  else known = null;
  return known;
}

/**
 * Where to hear of changes of the wallet that signed in on this page; null after a reload, when it
 * has to be found again.
 */
export const walletChanges = (): Wallet["onChange"] | null => heard;

export function rememberWallet(
  wallet: UsedWallet,
  onChange: Wallet["onChange"] | null = null,
): void {
  known = wallet;
  heard = onChange;
  const text = wallet?.kind === "browser" ? `browser:${wallet.rdns}` : (wallet?.kind ?? null);
  browserStorage.write("wallet", text);
}

/** `text` without the address, unless it is known to be of a browser wallet. */
export function withoutPracticeAddress(text: string, address: string, stands: string): string {
  if (usedWallet()?.kind === "browser") return text;
  return text.replaceAll(new RegExp(address, "gi"), stands);
}
