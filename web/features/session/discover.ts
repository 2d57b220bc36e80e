import { createEmitter } from "#ui/createStore.ts";
import { type RawProvider, type Wallet, wrapProvider } from "#web/features/session/provider.ts";

/** A wallet found in this browser. Name and icon are its own claims. */
export interface FoundWallet {
  /** Reverse domain name ("io.metamask"); empty for `window.ethereum`. */
  rdns: string;
  name: string;
  /** A data address of an image; null when it gave none. */
  icon: string | null;
  wallet: Wallet;
}

const waitMs = 250;
const imageForm = /^data:image\/(?:png|webp|jpeg|gif|svg\+xml)[;,]/;
const found = new Map<string, FoundWallet>();
const announced = createEmitter();
let listening = false;

/**
 * EIP-6963: wallets announce themselves when asked. Earlier ones stay; an announcement cannot
 * replace another's.
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
    if (typeof provider?.request !== "function" || found.has(info.uuid) || found.size >= 20) return;
    found.set(info.uuid, {
      rdns: typeof info.rdns === "string" ? info.rdns.slice(0, 100) : "",
      name: info.name.trim().slice(0, 40),
      icon: typeof info.icon === "string" && imageForm.test(info.icon) ? info.icon : null,
      wallet: wrapProvider(provider),
    });
    announced.emit();
  });
}

let injected: FoundWallet | null = null;

/** Every wallet that announced itself; without any, what stands at `window.ethereum`. */
function all(): FoundWallet[] {
  if (found.size > 0) return [...found.values()];
  const { ethereum } = window as { ethereum?: RawProvider | null };
  if (typeof ethereum?.request !== "function") return [];
  injected ??= { rdns: "", name: "", icon: null, wallet: wrapProvider(ethereum) };
  return [injected];
}

/**
 * The wallets of this browser, after giving them a moment to answer. `onMore` is told of later ones
 * until it is stopped.
 */
export async function findWallets(onMore?: (wallets: FoundWallet[]) => void): Promise<{
  wallets: FoundWallet[];
  stop: () => void;
}> {
  listen();
  window.dispatchEvent(new Event("eip6963:requestProvider"));
  await new Promise((resolve) => setTimeout(resolve, waitMs));
  return { wallets: all(), stop: announced.subscribe(() => onMore?.(all())) };
}

/**
 * The wallet of that reverse domain name, without asking it anything. At once when it is there
 * already.
 */
export async function findWallet(rdns: string): Promise<FoundWallet | null> {
  listen();
  window.dispatchEvent(new Event("eip6963:requestProvider"));
  const known = all().find((one) => one.rdns === rdns);
  if (known) return known;
  const { wallets, stop } = await findWallets();
  stop();
  return wallets.find((one) => one.rdns === rdns) ?? null;
}
