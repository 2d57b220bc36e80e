import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  NoAccountError,
  type RawProvider,
  WalletAnswerError,
  WalletRequestError,
  wrapProvider,
} from "#web/features/session/provider.ts";
import { getWalletErrorCode } from "#web/features/session/walletError.ts";

const address = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

function recording(answers: Record<string, unknown>) {
  const calls: { method: string; params?: readonly unknown[] }[] = [];
  const raw: RawProvider = {
    request: async (call) => {
      calls.push(call);
      return answers[call.method];
    },
  };
  return { calls, raw };
}

test("the wrapper calls exactly four methods and signs only text", async () => {
  const { calls, raw } = recording({
    eth_requestAccounts: [address],
    eth_chainId: "0xaa36a7",
    net_version: "11155111",
    personal_sign: "0x00",
  });
  const wallet = wrapProvider(raw);
  expect(Object.keys(wallet).sort()).toEqual([
    "accounts",
    "chainId",
    "networkId",
    "onChange",
    "personalSign",
  ]);
  expect(await wallet.accounts()).toEqual([address]);
  expect(await wallet.chainId()).toBe("11155111");
  expect(await wallet.networkId()).toBe("11155111");
  await wallet.personalSign("Hi é", address);
  wallet.onChange(() => {})();
  expect(calls).toEqual([
    { method: "eth_requestAccounts", params: [] },
    { method: "eth_chainId", params: [] },
    { method: "net_version", params: [] },
    { method: "personal_sign", params: ["0x486920c3a9", address] },
  ]);
});

type WalletMethodName = "accounts" | "chainId" | "networkId" | "personalSign";

describe("malformed answers are refused", () => {
  test.each<[string, Record<string, unknown>, WalletMethodName]>([
    ["accounts that are not a list", { eth_requestAccounts: address }, "accounts"],
    ["a name instead of an address", { eth_requestAccounts: ["alice.eth"] }, "accounts"],
    ["chain 0", { eth_chainId: "0x0" }, "chainId"],
    ["a missing chain", { eth_chainId: null }, "chainId"],
    ["a trailing line break in the chain", { eth_chainId: "0x1\n" }, "chainId"],
    ["a chain above 2^53", { eth_chainId: "0xfffffffffffffffff" }, "chainId"],
    ["a network in words", { net_version: "mainnet" }, "networkId"],
    ["an overlong network", { net_version: "1".repeat(5000) }, "networkId"],
    ["a network that is not text", { net_version: Object.create(null) }, "networkId"],
    ["a signature in words", { personal_sign: "signed!" }, "personalSign"],
    ["an overlong signature", { personal_sign: `0x${"0".repeat(5000)}` }, "personalSign"],
    ["a signature in a list", { personal_sign: ["0x00"] }, "personalSign"],
  ])("%s", async (_title, answers, method) => {
    await expect(wrapProvider(recording(answers).raw)[method]("", "")).rejects.toThrow(
      WalletAnswerError,
    );
  });
});

test("an error thrown by a wallet is wrapped and keeps its code", async () => {
  for (const thrown of [{ code: 4001 }, "no", undefined, new Error("locked")]) {
    const failing = wrapProvider({ request: () => Promise.reject(thrown) });
    const promises = [failing.accounts(), failing.chainId(), failing.personalSign("", "")];
    for (const answer of promises) {
      const failure: unknown = await answer.catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(WalletRequestError);
      expect(getWalletErrorCode(failure)).toBe(getWalletErrorCode(thrown));
    }
  }
});

test("a wallet that does not report its network times out", async () => {
  const silentWallet = wrapProvider({ request: () => new Promise(() => {}) }, 20);
  await expect(silentWallet.chainId()).rejects.toThrow(WalletAnswerError);
  await expect(silentWallet.networkId()).rejects.toThrow(WalletAnswerError);
});

test("a wallet whose events throw does not break the page", () => {
  const fail = () => {
    throw new Error("no events here");
  };
  const brokenProvider = { request: async () => null, on: fail, removeListener: fail };
  expect(() => wrapProvider(brokenProvider).onChange(fail)()).not.toThrow();
  const changes: unknown[] = [];
  const throwingProvider: RawProvider = {
    request: async () => null,
    on: (event, listener) => {
      if (event === "accountsChanged") listener([Object.create(null), 5, address]);
    },
  };
  wrapProvider(throwingProvider).onChange((change) => changes.push(change));
  expect(changes).toEqual([{ kind: "accounts", accounts: [address] }]);
});

const endless: { code: number; error?: unknown } = { code: -32603 };
endless.error = endless;

test.each<[unknown, string]>([
  [{ code: 4001, message: "User rejected the request." }, "rejected"],
  [{ code: -32603, data: { originalError: { code: 4001 } } }, "rejected"],
  [new Error("MetaMask Personal Message Signature: User denied message signature."), "rejected"],
  [{ code: -32002 }, "pending"],
  [{ code: 4100 }, "unauthorised"],
  [{ code: 4200 }, "unsupported"],
  [{ code: 4900 }, "disconnected"],
  [new Error("Wallet is locked"), "locked"],
  [new WalletAnswerError("eth_chainId"), "answer"],
  [new NoAccountError(), "locked"],
  [new WalletRequestError("personal_sign", { code: 4001 }), "rejected"],
  ["strange", "unknown"],
  [Object.create(null), "unknown"],
  [{ code: -32603, data: null }, "unknown"],
  [endless, "unknown"],
  [undefined, "unknown"],
])("%o is %s", (failure, fault) => expect(getWalletErrorCode(failure)).toBe(fault));

/**
 * Promise 1: there is no code path that can send. Other wallet method names may appear only in the
 * reader that explains pasted requests, which only parses text.
 */
test("no source uses a wallet method other than the four, and one file talks to providers", () => {
  const root = join(import.meta.dirname, "../../..");
  const files = ["web", "ui", "api", "core", "i18n"]
    .flatMap((folder) => globSync(join(root, folder, "**/*.{ts,tsx}")))
    .filter((file) => !/\.test\.tsx?$/.test(file));
  expect(files.length).toBeGreaterThan(60);
  const allowed = new Set(["eth_requestAccounts", "eth_chainId", "net_version", "personal_sign"]);
  // Names in this project may begin with net_; providers have three such methods.
  const wallets =
    /\b(?:(?:eth|wallet|personal|web3)_[A-Za-z]\w*|net_(?:version|listening|peerCount)\b)/g;
  const problems: string[] = [];
  for (const file of files) {
    const path = file.slice(root.length + 1);
    const text = readFileSync(file, "utf8");
    if (path.startsWith("web/screens/wallet-requests/explain/")) {
      if (/\.request\(|ethereum\b\s*[.[]|provider\.ts|discover\.ts|client\.ts|fetch\(/.test(text)) {
        problems.push(`${path} must only read text`);
      }
      continue;
    }
    for (const [name] of text.matchAll(wallets)) {
      if (!allowed.has(name)) problems.push(`${path} names ${name}`);
    }
    if (/\.request\(/.test(text) && path !== "web/features/session/provider.ts") {
      problems.push(`${path} calls request`);
    }
    if (/\bsendAsync\b|\.enable\(\)/.test(text)) problems.push(`${path} has an old provider call`);
  }
  expect(problems).toEqual([]);
});
