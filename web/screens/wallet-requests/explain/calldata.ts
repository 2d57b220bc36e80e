import { formatDecimal } from "#core/money/decimal.ts";
import {
  createFinding,
  type RequestFinding,
} from "#web/screens/wallet-requests/explain/finding.ts";

/**
 * Function selectors (first four bytes of keccak-256 of the signature); calldata.test.ts recomputes
 * them.
 */
export const selectors = {
  "approve(address,uint256)": "095ea7b3",
  "increaseAllowance(address,uint256)": "39509351",
  "transfer(address,uint256)": "a9059cbb",
  "transferFrom(address,address,uint256)": "23b872dd",
  "safeTransferFrom(address,address,uint256)": "42842e0e",
  "safeTransferFrom(address,address,uint256,bytes)": "b88d4fde",
  "setApprovalForAll(address,bool)": "a22cb465",
  "permit(address,address,uint256,uint256,uint8,bytes32,bytes32)": "d505accf",
  "permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)": "8fcbaf0c",
  "approve(address,address,uint160,uint48)": "87517c45",
  "safeTransferFrom(address,address,uint256,uint256,bytes)": "f242432a",
  "multicall(bytes[])": "ac9650d8",
  "transferOwnership(address)": "f2fde38b",
  "setOwner(address)": "13af4035",
  "changeAdmin(address)": "8f283970",
  "renounceOwnership()": "715018a6",
  "grantRole(bytes32,address)": "2f2ff15d",
  "upgradeTo(address)": "3659cfe6",
  "upgradeToAndCall(address,bytes)": "4f1ef286",
  "addOwnerWithThreshold(address,uint256)": "0d582f13",
  "swapOwner(address,address,address)": "e318b52b",
  "enableModule(address)": "610b5925",
} as const;

/** An allowance from here on counts as unlimited. */
const endless = 1n << 159n;
const depthMax = 3;

/** Reads a call's input word by word; missing bytes read as zeros, as on the chain. */
function reader(data: string) {
  const body = data.slice(8);
  const word = (index: number) => body.slice(index * 64, index * 64 + 64).padEnd(64, "0");
  return {
    body,
    number: (index: number) => BigInt(`0x${word(index)}`),
    address: (index: number) => `0x${word(index).slice(24)}`,
  };
}

/** Explains the effect of a contract call. `data` is hex without `0x`, `to` the contract. */
export function explainCall(to: string, data: string, depth = 0): RequestFinding[] {
  const { number, address, body } = reader(data);
  const name = getName(data.slice(0, 8));
  const token = to;
  switch (name) {
    case "approve(address,uint256)":
      return [explainAllowance(token, address(0), number(1))];
    case "increaseAllowance(address,uint256)":
      return [explainAllowance(token, address(0), number(1) === 0n ? 1n : number(1))];
    case "approve(address,address,uint160,uint48)":
      return [explainAllowance(address(0), address(1), number(2))];
    case "permit(address,address,uint256,uint256,uint8,bytes32,bytes32)":
      return [explainAllowance(token, address(1), number(2))];
    case "permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)":
      return [explainAllowance(token, address(1), number(4) === 0n ? 0n : endless)];
    case "transfer(address,uint256)":
      return [
        createFinding("moves", "transfer", { token, to: address(0), amount: `${number(1)}` }),
      ];
    case "transferFrom(address,address,uint256)":
    case "safeTransferFrom(address,address,uint256)":
    case "safeTransferFrom(address,address,uint256,bytes)":
    case "safeTransferFrom(address,address,uint256,uint256,bytes)":
      return [
        createFinding("moves", "transferFrom", {
          token,
          from: address(0),
          to: address(1),
          amount: `${number(2)}`,
        }),
      ];
    case "setApprovalForAll(address,bool)":
      return number(1) === 0n
        ? [createFinding("ends", "approvalForAllEnds", { token, spender: address(0) })]
        : [createFinding("takes", "approvalForAll", { token, spender: address(0) })];
    case "multicall(bytes[])":
      return explainMany(to, body, depth);
    default:
      return [
        (name && explainControl(to, name, address)) ??
          createFinding("careful", "unknownCall", {
            to,
            selector: `0x${data.slice(0, 8).toLowerCase()}`,
          }),
      ];
  }
}

/** A call that transfers control of a contract; null when `name` is not one. */
function explainControl(
  contract: string,
  name: keyof typeof selectors,
  address: (index: number) => string,
): RequestFinding | null {
  switch (name) {
    case "transferOwnership(address)":
    case "setOwner(address)":
    case "changeAdmin(address)":
      return createFinding("takes", "ownership", { contract, to: address(0) });
    case "renounceOwnership()":
      return createFinding("careful", "ownershipGone", { contract });
    case "grantRole(bytes32,address)":
      return createFinding("takes", "role", { contract, to: address(1) });
    case "upgradeTo(address)":
    case "upgradeToAndCall(address,bytes)":
      return createFinding("takes", "upgrade", { contract, to: address(0) });
    case "addOwnerWithThreshold(address,uint256)":
    case "enableModule(address)":
      return createFinding("takes", "groupOwner", { contract, to: address(0) });
    case "swapOwner(address,address,address)":
      return createFinding("takes", "groupOwner", { contract, to: address(2) });
    default:
      return null;
  }
}

/** A permission to take `amount` (smallest units) of a token. */
export function explainAllowance(
  token: string,
  spender: string,
  amount: bigint,
  signed = false,
): RequestFinding {
  if (amount === 0n) return createFinding("ends", "allowanceEnds", { token, spender });
  const sort = signed ? "signedAllowance" : "allowance";
  return amount >= endless
    ? createFinding("takes", `${sort}Endless`, { token, spender })
    : createFinding("takes", `${sort}Amount`, { token, spender, amount: `${amount}` });
}

function explainMany(to: string, body: string, depth: number): RequestFinding[] {
  const unknown = [createFinding("careful", "unknownCall", { to, selector: "0xac9650d8" })];
  if (depth >= depthMax) return unknown;
  try {
    const word = (byte: bigint) =>
      BigInt(`0x${body.slice(Number(byte) * 2, Number(byte) * 2 + 64)}`);
    const start = word(0n);
    const count = word(start);
    if (count < 1n || count > 50n) return unknown;
    const first = start + 32n;
    return Array.from({ length: Number(count) }, (_, index) => {
      const offset = first + word(first + BigInt(index) * 32n);
      const length = word(offset);
      const start = Number(offset + 32n) * 2;
      const call = body.slice(start, start + Number(length) * 2);
      if (BigInt(call.length) !== length * 2n) throw new RangeError("truncated");
      return explainCall(to, call, depth + 1);
    }).flat();
  } catch {
    return unknown;
  }
}

function getName(selector: string): keyof typeof selectors | null {
  const entry = Object.entries(selectors).find(([, value]) => value === selector.toLowerCase());
  return entry ? (entry[0] as keyof typeof selectors) : null;
}

/** A transaction object, in the form of `eth_sendTransaction`. */
export function explainTransaction(transaction: Record<string, unknown>): RequestFinding[] {
  const text = (name: string) => {
    const value = transaction[name];
    return typeof value === "string" ? value : "";
  };
  const findings: RequestFinding[] = [];
  const to = text("to");
  const value = /^0x[0-9a-f]+$/i.test(text("value")) ? BigInt(text("value")) : 0n;
  const data = (text("data") || text("input")).replace(/^0x/i, "");
  if (Array.isArray(transaction.authorizationList) && transaction.authorizationList.length > 0) {
    findings.push(createFinding("takes", "delegates"));
  }
  if (value > 0n) {
    findings.push(
      createFinding("moves", "sendsCoin", { to: to || "?", amount: formatDecimal(value, 18) }),
    );
  }
  if (!/^[0-9a-f]*$/i.test(data)) findings.push(createFinding("careful", "unreadableData"));
  else if (data !== "" && to === "") findings.push(createFinding("careful", "deploys"));
  else if (data.length >= 8) findings.push(...explainCall(to, data));
  if (findings.length === 0) findings.push(createFinding("shows", "nothingMoves"));
  return findings;
}
