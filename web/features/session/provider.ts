/**
 * The only access to a browser wallet. It has only four methods: a text can be signed through it,
 * and nothing can be sent, approved or switched (docs/promises.md, promise 1; provider.test.ts).
 */
export interface Wallet {
  /** `eth_requestAccounts`: the wallet asks the person which accounts this page may see. */
  accounts(): Promise<readonly string[]>;
  /** `eth_chainId` as a decimal string. */
  chainId(): Promise<string>;
  /** `net_version`. */
  networkId(): Promise<string>;
  /** `personal_sign` (EIP-191) of a text that the wallet displays. Returns the signature in hex. */
  personalSign(text: string, address: string): Promise<string>;
  /** Calls `listener` on changes in the wallet until the returned function is called. */
  onChange(listener: (change: WalletChange) => void): () => void;
}

export type WalletChange =
  | { kind: "accounts"; accounts: readonly string[] }
  | { kind: "network" }
  | { kind: "disconnected" };

/** The provider interface of EIP-1193; wallets are not trusted to comply. */
export interface RawProvider {
  request(call: { method: string; params?: readonly unknown[] }): Promise<unknown>;
  on?(event: string, listener: (value: unknown) => void): unknown;
  removeListener?(event: string, listener: (value: unknown) => void): unknown;
}

/** A failure of the wallet rather than of Drydock; `getWalletErrorCode` classifies it. */
export abstract class WalletError extends Error {}

/** The wallet refused a request or could not answer it; `cause` is what it threw. */
export class WalletRequestError extends WalletError {
  override readonly name = "WalletRequestError";

  constructor(method: string, error: unknown) {
    super(`${method} failed in the wallet`, { cause: error });
  }
}

/** The wallet's answer does not have the specified form. */
export class WalletAnswerError extends WalletError {
  override readonly name = "WalletAnswerError";

  constructor(method: string) {
    super(`${method} returned an unexpected answer`);
  }
}

/** The wallet returned no account: it is locked, or none was chosen. */
export class NoAccountError extends WalletError {
  override readonly name = "NoAccountError";

  constructor() {
    super("the wallet returned no account");
  }
}

export function wrapProvider(raw: RawProvider, quickMs = 15_000): Wallet {
  const ask = async (
    method: "eth_requestAccounts" | "eth_chainId" | "net_version" | "personal_sign",
    params: readonly string[] = [],
  ) => {
    try {
      return await raw.request({ method, params });
    } catch (error) {
      throw new WalletRequestError(method, error);
    }
  };
  /** These calls open no window in the wallet, so they get a short timeout. */
  const askAtOnce = (method: "eth_chainId" | "net_version") =>
    withTimeout(ask(method), method, quickMs);
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
      // Longer than any signature, including a contract wallet's, which the server refuses by name.
      if (typeof answer !== "string" || !/^0x[0-9a-fA-F]{1,1998}$/.test(answer)) {
        throw new WalletAnswerError("personal_sign");
      }
      return answer;
    },
    onChange: (listener) => {
      const listeners: [string, (value: unknown) => void][] = [
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
      // A wallet without change events can still sign, so an error that it throws here must not
      // break the page.
      const ignoreErrors = (work: () => void) => {
        try {
          work();
        } catch {
          // Without events, a change shows as a signature that does not match the account.
        }
      };
      for (const [event, listen] of listeners) ignoreErrors(() => raw.on?.(event, listen));
      return () => {
        for (const [event, listen] of listeners)
          ignoreErrors(() => raw.removeListener?.(event, listen));
      };
    },
  };
}

function addresses(answer: unknown): readonly string[] {
  if (!Array.isArray(answer)) throw new WalletAnswerError("eth_requestAccounts");
  for (const value of answer) {
    if (typeof value !== "string" || !/^0x[0-9a-fA-F]{40}$/.test(value)) {
      throw new WalletAnswerError("eth_requestAccounts");
    }
  }
  return answer as string[];
}

const isText = (value: unknown): value is string => typeof value === "string";

async function withTimeout(
  answer: Promise<unknown>,
  method: string,
  limitMs: number,
): Promise<unknown> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new WalletAnswerError(method)), limitMs);
  });
  try {
    return await Promise.race([answer, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
