/**
 * The only access to a browser wallet. It has four methods and knows no other name: there is no way
 * through it to send, approve, switch or sign anything but a text (docs/promises.md, promise 1;
 * provider.test.ts).
 */
export interface Wallet {
  /** `eth_requestAccounts`: the wallet asks the person which accounts this page may see. */
  accounts(): Promise<readonly string[]>;
  /** `eth_chainId` as a decimal string. */
  chainId(): Promise<string>;
  /** `net_version`. */
  networkId(): Promise<string>;
  /** `personal_sign` (EIP-191): a text that the wallet shows. Returns the signature in hex. */
  personalSign(text: string, address: string): Promise<string>;
  /** Hears of changes in the wallet until the returned function is called. */
  onChange(listener: (change: WalletChange) => void): () => void;
}

export type WalletChange =
  | { kind: "accounts"; accounts: readonly string[] }
  | { kind: "network" }
  | { kind: "disconnected" };

/** What EIP-1193 promises of a provider; wallets are not trusted to keep it. */
export interface RawProvider {
  request(call: { method: string; params?: readonly unknown[] }): Promise<unknown>;
  on?(event: string, listener: (value: unknown) => void): unknown;
  removeListener?(event: string, listener: (value: unknown) => void): unknown;
}

/** The wallet answered something that is not of the promised form. */
export class WalletAnswerError extends Error {
  constructor(method: string) {
    super(`${method} gave an answer of another form`);
    this.name = "WalletAnswerError";
  }
}

export function wrapProvider(raw: RawProvider, quickMs = 15_000): Wallet {
  const ask = (
    method: "eth_requestAccounts" | "eth_chainId" | "net_version" | "personal_sign",
    params: readonly string[] = [],
  ) => raw.request({ method, params });
  /** These open no window in the wallet, so nobody is to be waited for. */
  const askAtOnce = (method: "eth_chainId" | "net_version") => inTime(ask(method), method, quickMs);
  return {
    accounts: async () => addresses(await ask("eth_requestAccounts")),
    chainId: async () => {
      const answer = await askAtOnce("eth_chainId");
      const text = typeof answer === "number" ? String(answer) : answer;
      if (typeof text !== "string" || !/^(0x[0-9a-f]{1,14}|[0-9]{1,15})$/i.test(text)) {
        throw new WalletAnswerError("eth_chainId");
      }
      const chainId = BigInt(text);
      if (chainId < 1n) throw new WalletAnswerError("eth_chainId");
      return chainId.toString();
    },
    networkId: async () => {
      const answer = await askAtOnce("net_version");
      const text = typeof answer === "number" ? String(answer) : answer;
      if (typeof text !== "string" || !/^(0x[0-9a-f]{1,14}|[0-9]{1,16})$/i.test(text))
        throw new WalletAnswerError("net_version");
      return text;
    },
    personalSign: async (text, address) => {
      const bytes = new TextEncoder().encode(text);
      const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
      const answer = await ask("personal_sign", [`0x${hex}`, address]);
      // Longer than any signature, a contract wallet's included, which the server refuses by name.
      if (typeof answer !== "string" || !/^0x[0-9a-fA-F]{1,1998}$/.test(answer)) {
        throw new WalletAnswerError("personal_sign");
      }
      return answer;
    },
    onChange: (listener) => {
      const heard: [string, (value: unknown) => void][] = [
        [
          "accountsChanged",
          (value) =>
            listener({
              kind: "accounts",
              accounts: Array.isArray(value) ? value.filter(isText) : [],
            }),
        ],
        ["chainChanged", () => listener({ kind: "network" })],
        ["disconnect", () => listener({ kind: "disconnected" })],
      ];
      // A wallet that cannot tell of changes may still sign: what it throws here must not take the
      // page with it.
      const quietly = (work: () => void) => {
        try {
          work();
        } catch {
          // Then a change shows when the signature does not fit the account.
        }
      };
      for (const [event, hear] of heard) quietly(() => raw.on?.(event, hear));
      return () => {
        for (const [event, hear] of heard) quietly(() => raw.removeListener?.(event, hear));
      };
    },
  };
}

function addresses(answer: unknown): readonly string[] {
  if (!Array.isArray(answer)) throw new WalletAnswerError("eth_requestAccounts");
  for (const one of answer) {
    if (typeof one !== "string" || !/^0x[0-9a-fA-F]{40}$/.test(one)) {
      throw new WalletAnswerError("eth_requestAccounts");
    }
  }
  return answer as string[];
}

const isText = (value: unknown): value is string => typeof value === "string";

async function inTime(answer: Promise<unknown>, method: string, limitMs: number): Promise<unknown> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new WalletAnswerError(method)), limitMs);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
