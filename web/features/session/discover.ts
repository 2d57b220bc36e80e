import { createEmitter } from "#ui/createStore.ts";
import { type RawProvider, type Wallet, wrapProvider } from "#web/features/session/provider.ts";

/** A wallet found in this browser. Its name and icon are unverified claims. */
export interface DiscoveredWallet {
  /** Reverse domain name ("io.metamask"); empty for `window.ethereum`. */
  rdns: string;
  name: string;
  /** A data URL of an image; null when the wallet gave none. */
  icon: string | null;
  wallet: Wallet;
}

const waitMs = 250;
const imageForm = /^data:image\/(?:png|webp|jpeg|gif|svg\+xml)[;,]/;
const walletsById = new Map<string, DiscoveredWallet>();
const announced = createEmitter();
let listening = false;

/**
 * EIP-6963: wallets announce themselves on request. The first announcement of a name wins; a later
 * one cannot replace it.
 */
function listen(): void {
  if (listening) return;
  listening = true;
  window.addEventListener("eip6963:announceProvider", (event) => {
    const { detail } = event as CustomEvent<unknown>;
    const { info, provider } = (detail ?? {}) as {
      info?: { uuid?: unknown; name?: unknown; icon?: unknown; rdns?: unknown };
      provider?: RawProvider;
    };
    if (typeof info?.uuid !== "string" || typeof info.name !== "string") return;
    if (
      typeof provider?.request !== "function" ||
      walletsById.has(info.uuid) ||
      walletsById.size >= 20
    )
      return;
    walletsById.set(info.uuid, {
      rdns: typeof info.rdns === "string" ? info.rdns.slice(0, 100) : "",
      name: info.name.trim().slice(0, 40),
      icon: typeof info.icon === "string" && imageForm.test(info.icon) ? info.icon : null,
      wallet: wrapProvider(provider),
    });
    announced.emit();
  });
}

let injected: DiscoveredWallet | null = null;

/** Returns every wallet that announced itself; if there is none, `window.ethereum`. */
function listWallets(): DiscoveredWallet[] {
  if (walletsById.size > 0) return [...walletsById.values()];
  const { ethereum } = window as { ethereum?: RawProvider | null };
  if (typeof ethereum?.request !== "function") return [];
  injected ??= { rdns: "", name: "", icon: null, wallet: wrapProvider(ethereum) };
  return [injected];
}

/**
 * Finds the wallets of this browser, after a moment for them to answer. `onMore` is called with
 * later ones until it is stopped.
 */
export async function findWallets(onMore?: (wallets: DiscoveredWallet[]) => void): Promise<{
  wallets: DiscoveredWallet[];
  stop: () => void;
}> {
  listen();
  window.dispatchEvent(new Event("eip6963:requestProvider"));
  await new Promise((resolve) => setTimeout(resolve, waitMs));
  return { wallets: listWallets(), stop: announced.subscribe(() => onMore?.(listWallets())) };
}

/**
 * Finds the wallet with that reverse domain name without requesting anything from it. Resolves
 * immediately if the wallet is already known.
 */
export async function findWallet(rdns: string): Promise<DiscoveredWallet | null> {
  listen();
  window.dispatchEvent(new Event("eip6963:requestProvider"));
  const knownWallet = listWallets().find((wallet) => wallet.rdns === rdns);
  if (knownWallet) return knownWallet;
  const { wallets, stop } = await findWallets();
  stop();
  return wallets.find((wallet) => wallet.rdns === rdns) ?? null;
}
