import { parseMessage } from "#core/session/message.ts";
import { explainCall, explainTransaction } from "#web/screens/wallet-requests/explain/calldata.ts";
import {
  createFinding,
  type RequestFinding,
} from "#web/screens/wallet-requests/explain/finding.ts";
import { explainTypedData } from "#web/screens/wallet-requests/explain/typedData.ts";

/** Longest text accepted, in characters. */
const lengthMax = 100_000;

/**
 * Explains a wallet request pasted as text: `{method, params}`, a transaction, typed data, a bare
 * call in hex, or a sign-in message. Null for anything else. Only parses text: nothing here can
 * reach a wallet or the network. A wrong "harmless" is worse than no answer: an unreadable amount
 * counts as unlimited, anything unknown is "careful", and only a closed list is ever "only shows".
 * Amounts stay in smallest units, as decimals are the token's own claim.
 */
export function explainRequest(text: string): RequestFinding[] | null {
  const trimmed = text.trim();
  if (trimmed === "" || trimmed.length > lengthMax) return null;
  if (/^(?:0x)?[0-9a-f]{8,}$/i.test(trimmed)) return explainCall("?", trimmed.replace(/^0x/i, ""));
  const message = parseMessage(trimmed);
  if (message.ok) return [createFinding("shows", "signIn", { domain: message.message.domain })];
  try {
    return explainValue(JSON.parse(trimmed));
  } catch {
    return null;
  }
}

function explainValue(value: unknown): RequestFinding[] | null {
  if (Array.isArray(value)) {
    const values = value.slice(0, 50).map(explainValue);
    return values.some((item) => item === null) ? null : values.flatMap((item) => item ?? []);
  }
  if (typeof value !== "object" || value === null) return null;
  const object = value as Record<string, unknown>;
  if (typeof object.method === "string") return explainMethod(object.method, parseParams(object));
  if ("primaryType" in object) return explainTypedData(object);
  if ("to" in object || "data" in object || "value" in object) return explainTransaction(object);
  return null;
}

function parseParams({ params }: Record<string, unknown>): unknown[] {
  if (Array.isArray(params)) return params;
  return params === undefined ? [] : [params];
}

function explainMethod(method: string, params: unknown[]): RequestFinding[] {
  switch (method) {
    case "eth_sendTransaction":
    case "eth_signTransaction":
      return params.flatMap((param) => explainTransaction(toObject(param)));
    case "wallet_sendCalls": {
      const calls = toObject(params[0]).calls;
      const list = Array.isArray(calls) ? calls.slice(0, 50) : [];
      return list.flatMap((value) => explainTransaction(toObject(value)));
    }
    case "eth_sendRawTransaction":
      return [createFinding("moves", "rawTransaction")];
    case "eth_signTypedData":
    case "eth_signTypedData_v3":
    case "eth_signTypedData_v4":
      return explainTypedData(getTypedData(params));
    case "personal_sign":
      return explainText(params);
    case "eth_sign":
      return [createFinding("takes", "blindSign")];
    case "eth_requestAccounts":
    case "wallet_requestPermissions":
      return [createFinding("shows", "accounts")];
    case "wallet_addEthereumChain":
    case "wallet_switchEthereumChain":
      return [createFinding("careful", "network")];
    case "wallet_watchAsset":
      return [createFinding("shows", "watchAsset")];
    case "eth_chainId":
    case "net_version":
    case "eth_accounts":
    case "eth_blockNumber":
    case "eth_getBalance":
    case "eth_call":
    case "eth_estimateGas":
      return [createFinding("shows", "readsOnly", { method })];
    default:
      return [createFinding("careful", "unknownMethod", { method: method.slice(0, 60) })];
  }
}

/** Typed data comes as an object or as JSON text, before or after the address. */
function getTypedData(params: unknown[]): Record<string, unknown> {
  for (const param of params) {
    if (typeof param === "object" && param !== null) return param as Record<string, unknown>;
    if (typeof param === "string" && param.trimStart().startsWith("{"))
      return toObject(JSON.parse(param));
  }
  return {};
}

function explainText(params: unknown[]): RequestFinding[] {
  const param = params.find(
    (value) => typeof value === "string" && !/^0x[0-9a-f]{40}$/i.test(value),
  );
  if (typeof param !== "string")
    return [createFinding("careful", "unknownMethod", { method: "personal_sign" })];
  const text = /^0x(?:[0-9a-f]{2})*$/i.test(param) ? decode(param.slice(2)) : param;
  if (text === null) return [createFinding("takes", "blindText")];
  const message = parseMessage(text);
  if (message.ok) return [createFinding("shows", "signIn", { domain: message.message.domain })];
  return [createFinding("careful", "signsText", { text: text.slice(0, 300) })];
}

/** Decodes bytes to text; null when the result is not human-readable. */
function decode(hex: string): string | null {
  const bytes = Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return /[^\P{C}\n\r\t]/u.test(text) ? null : text;
  } catch {
    return null;
  }
}

function toObject(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
