import { browserStorage } from "#web/lib/storage.ts";
import type { Wallet } from "./provider.ts";

/**
 * The wallet that this person last signed in with here: the practice wallet, or a browser wallet by
 * its EIP-6963 name ("io.metamask"; empty when it has none). Only a browser wallet's address may be
 * shown, never a practice wallet's.
 */
export type UsedWallet = { kind: "practice" } | { kind: "browser"; rdns: string } | null;

let knownWallet: UsedWallet | undefined;
let listener: Wallet["onChange"] | null = null;

export function getUsedWallet(): UsedWallet {
  if (knownWallet !== undefined) return knownWallet;
  const text = browserStorage.read("wallet");
  if (text === "practice") knownWallet = { kind: "practice" };
  else if (text?.startsWith("browser:")) knownWallet = { kind: "browser", rdns: text.slice(8) };
  else knownWallet = null;
  return knownWallet;
}

/**
 * Subscribes to changes of the wallet that signed in on this page; null after a reload, when the
 * wallet has to be found again.
 */
export const getWalletSubscription = (): Wallet["onChange"] | null => listener;

export function rememberWallet(
  wallet: UsedWallet,
  onChange: Wallet["onChange"] | null = null,
): void {
  knownWallet = wallet;
  listener = onChange;
  const text = wallet?.kind === "browser" ? `browser:${wallet.rdns}` : (wallet?.kind ?? null);
  browserStorage.write("wallet", text);
}

/**
 * Returns `text` with the address replaced by `replacement`, unless it is known to be a browser
 * wallet's.
 */
export function replacePracticeAddress(text: string, address: string, replacement: string): string {
  if (getUsedWallet()?.kind === "browser") return text;
  return text.replaceAll(new RegExp(address, "gi"), replacement);
}
