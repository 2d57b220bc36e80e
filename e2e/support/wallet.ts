import type { Page } from "playwright";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";

/**
 * A browser wallet for tests: it really signs, with a key made for the test, and records every
 * method that is requested.
 */
export interface TestWallet {
  address: string;
  /** In order, with repeats. */
  methods: string[];
  /** Makes requests of `method` fail with this EIP-1193 error; null restores its answer. */
  fail(method: string, error: { code: number; message: string } | null): void;
  /** Answers `method` with this value, valid or not; null restores its own answer. */
  answer(method: string, reply: ((params: unknown[]) => Promise<unknown>) | null): void;
  /** Signs with the current account. */
  sign(raw: `0x${string}`): Promise<string>;
  /** Switches to another account or network and notifies the page, as wallets do. */
  changeAccount(privateKey?: `0x${string}`): Promise<string>;
  changeChain(chainId: number): Promise<void>;
  lock(): Promise<void>;
}

export interface WalletOptions {
  privateKey?: `0x${string}`;
  chainId?: number;
  /** How the page discovers it. */
  announce?: "eip6963" | "window.ethereum";
  name?: string;
}

interface WalletRequest {
  method: string;
  params?: unknown[];
}
type Reply = { result: unknown } | { error: { code: number; message: string } };

/** The only methods that Drydock may ever call on a wallet. */
export const allowedMethods = [
  "eth_requestAccounts",
  "eth_chainId",
  "net_version",
  "personal_sign",
];

/**
 * Injects the wallet into every document that `page` loads from now on. Call it before the first
 * `goto`.
 */
export async function injectWallet(page: Page, options: WalletOptions = {}): Promise<TestWallet> {
  let account = privateKeyToAccount(options.privateKey ?? generatePrivateKey());
  let chainId = options.chainId ?? 1;
  let locked = false;
  const methods: string[] = [];
  const failures = new Map<string, { code: number; message: string }>();
  const fakeAnswers = new Map<string, (params: unknown[]) => Promise<unknown>>();

  const answer = async ({ method, params = [] }: WalletRequest): Promise<Reply> => {
    methods.push(method);
    const failure = failures.get(method);
    if (failure) return { error: failure };
    const lie = fakeAnswers.get(method);
    if (lie) return { result: await lie(params) };
    switch (method) {
      case "eth_requestAccounts":
        return { result: locked ? [] : [account.address] };
      case "eth_chainId":
        return { result: `0x${chainId.toString(16)}` };
      case "net_version":
        return { result: String(chainId) };
      case "personal_sign": {
        const [rawMessage, address] = params as [`0x${string}`, string];
        if (address.toLowerCase() !== account.address.toLowerCase()) {
          return { error: { code: 4100, message: "Unauthorized" } };
        }
        return { result: await account.signMessage({ message: { raw: rawMessage } }) };
      }
      default:
        return { error: { code: 4200, message: `this test wallet refuses ${method}` } };
    }
  };
  await page.exposeFunction("drydockTestWallet", answer);
  await page.addInitScript(install, {
    announce: options.announce ?? "eip6963",
    name: options.name ?? "Test wallet",
  });
  // Waits until the page listens: after a reload it must discover the wallet first.
  const emit = async (event: string, value: unknown) => {
    await page.waitForFunction(
      (name) =>
        (window as unknown as { drydockTestHeard(event: string): boolean }).drydockTestHeard(name),
      event,
    );
    await page.evaluate(
      ([name, detail]) =>
        window.dispatchEvent(new CustomEvent("drydock-test-wallet", { detail: { name, detail } })),
      [event, value] as const,
    );
  };
  const wallet: TestWallet = {
    address: account.address,
    methods,
    fail: (method, error) => {
      if (error) failures.set(method, error);
      else failures.delete(method);
    },
    answer: (method, reply) => {
      if (reply) fakeAnswers.set(method, reply);
      else fakeAnswers.delete(method);
    },
    sign: (raw) => account.signMessage({ message: { raw } }),
    changeAccount: async (privateKey) => {
      account = privateKeyToAccount(privateKey ?? generatePrivateKey());
      wallet.address = account.address;
      await emit("accountsChanged", [account.address]);
      return account.address;
    },
    changeChain: async (nextChainId) => {
      chainId = nextChainId;
      await emit("chainChanged", `0x${nextChainId.toString(16)}`);
    },
    lock: async () => {
      locked = true;
      await emit("accountsChanged", []);
    },
  };
  return wallet;
}

/** Runs in the page, so it uses nothing from this file. */
function install({ announce, name }: { announce: string; name: string }): void {
  const listeners = new Map<string, Set<(value: unknown) => void>>();
  const page = window as unknown as {
    drydockTestWallet(request: WalletRequest): Promise<Reply>;
    drydockTestHeard(event: string): boolean;
    ethereum?: unknown;
  };
  page.drydockTestHeard = (event) => (listeners.get(event)?.size ?? 0) > 0;
  const provider = {
    request: async (request: WalletRequest) => {
      const reply = await page.drydockTestWallet(request);
      if ("error" in reply) throw Object.assign(new Error(reply.error.message), reply.error);
      return reply.result;
    },
    on: (event: string, listener: (value: unknown) => void) => {
      const set = listeners.get(event) ?? new Set();
      listeners.set(event, set.add(listener));
    },
    removeListener: (event: string, listener: (value: unknown) => void) => {
      listeners.get(event)?.delete(listener);
    },
  };
  window.addEventListener("drydock-test-wallet", (event) => {
    const { name: topic, detail } = (event as CustomEvent<{ name: string; detail: unknown }>)
      .detail;
    for (const listener of listeners.get(topic) ?? []) listener(detail);
  });
  if (announce === "window.ethereum") {
    page.ethereum = provider;
    return;
  }
  const icon =
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'%3E%3Crect width='8' height='8' rx='2' fill='%23567'/%3E%3C/svg%3E";
  const info = {
    uuid: "0b7c9e3a-2f65-4f0e-9c55-7d0c8f6f1a11",
    name,
    icon,
    rdns: "org.drydock.test",
  };
  const sendProvider = () =>
    window.dispatchEvent(
      new CustomEvent("eip6963:announceProvider", { detail: Object.freeze({ info, provider }) }),
    );
  window.addEventListener("eip6963:requestProvider", sendProvider);
  sendProvider();
}
