import type { Wallet } from "#web/features/session/provider.ts";
import { readStored, store } from "#web/lib/settings.ts";

/**
 * With what the person last signed in here: the practice wallet, or a browser wallet by its EIP-6963 name ("io.metamask";
 * empty when it has none). Only then may an address be shown: a practice wallet's never is.
 */
export type UsedWallet = { kind: "practice" } | { kind: "browser"; rdns: string } | null;

const key = "drydock.wallet";
let known: UsedWallet | undefined;
let heard: Wallet["onChange"] | null = null;

export function usedWallet(): UsedWallet {
  if (known !== undefined) return known;
  const text = readStored(key);
  if (text === "practice") known = { kind: "practice" };
  else if (text?.startsWith("browser:")) known = { kind: "browser", rdns: text.slice(8) };
  else known = null;
  return known;
}

/** Where to hear of changes of the wallet that signed in on this page; null after a reload, when it has to be found again. */
export const walletChanges = (): Wallet["onChange"] | null => heard;

export function rememberWallet(
  wallet: UsedWallet,
  onChange: Wallet["onChange"] | null = null,
): void {
  known = wallet;
  heard = onChange;
  store(
    key,
    wallet === null ? "" : wallet.kind === "practice" ? "practice" : `browser:${wallet.rdns}`,
  );
}

/** `text` without the address, unless it is known to be of a browser wallet. */
export function withoutPracticeAddress(text: string, address: string, stands: string): string {
  if (usedWallet()?.kind === "browser") return text;
  return text.replaceAll(new RegExp(address, "gi"), stands);
}
