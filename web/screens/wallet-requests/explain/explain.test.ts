import { readFileSync } from "node:fs";
import { join } from "node:path";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { encodeFunctionData, parseAbi } from "viem";
import { describe, expect, test } from "vitest";
import { examples } from "#web/screens/wallet-requests/examples.ts";
import { selectors } from "#web/screens/wallet-requests/explain/calldata.ts";
import { getDanger } from "#web/screens/wallet-requests/explain/finding.ts";
import { addNames } from "#web/screens/wallet-requests/explain/names.ts";
import { explainRequest } from "#web/screens/wallet-requests/explain/request.ts";
import signatures from "./signatures.json" with { type: "json" };

const token = `0x${"aa".repeat(20)}`;
const spender = `0x${"bb".repeat(20)}` as const;
const otherAddress = `0x${"cc".repeat(20)}` as const;
const max = (1n << 256n) - 1n;
const abi = parseAbi([
  "function approve(address,uint256)",
  "function increaseAllowance(address,uint256)",
  "function transfer(address,uint256)",
  "function transferFrom(address,address,uint256)",
  "function setApprovalForAll(address,bool)",
  "function permit(address,address,uint256,uint256,uint8,bytes32,bytes32)",
  "function multicall(bytes[])",
  "function transferOwnership(address)",
  "function renounceOwnership()",
  "function grantRole(bytes32,address)",
  "function upgradeToAndCall(address,bytes)",
  "function swapOwner(address,address,address)",
]);
const call = (functionName: string, args: unknown[]) =>
  encodeFunctionData({ abi, functionName, args } as never);
const send = (data: string, rest: object = {}) =>
  JSON.stringify({ method: "eth_sendTransaction", params: [{ to: token, data, ...rest }] });
const zero32 = `0x${"00".repeat(32)}`;
const typedData = (primaryType: string, message: object) =>
  JSON.stringify({
    method: "eth_signTypedData_v4",
    params: [
      spender,
      JSON.stringify({ primaryType, domain: { name: "Coin", verifyingContract: token }, message }),
    ],
  });
const hex = (text: string) => `0x${bytesToHex(utf8ToBytes(text))}`;
const signInText = `a.example wants you to sign in with your Ethereum account:\n${spender}\n\n\nURI: https://a.example\nVersion: 1\nChain ID: 1\nNonce: 12345678\nIssued At: 2026-01-05T00:00:00Z`;

test.each(Object.entries(selectors))("%s has the selector %s", (signature, selector) => {
  expect(bytesToHex(keccak_256(utf8ToBytes(signature)).slice(0, 4))).toBe(selector);
});

describe("explainRequest", () => {
  test.each<[string, string, [string, string][]]>([
    [
      "an endless allowance",
      send(call("approve", [spender, max])),
      [["takes", "allowanceEndless"]],
    ],
    ["an allowance", send(call("approve", [spender, 5n])), [["takes", "allowanceAmount"]]],
    ["a revoked allowance", send(call("approve", [spender, 0n])), [["ends", "allowanceEnds"]]],
    [
      "an increased allowance",
      send(call("increaseAllowance", [spender, max])),
      [["takes", "allowanceEndless"]],
    ],
    ["a transfer", send(call("transfer", [otherAddress, 7n])), [["moves", "transfer"]]],
    [
      "a transfer from another",
      send(call("transferFrom", [spender, otherAddress, 7n])),
      [["moves", "transferFrom"]],
    ],
    [
      "a whole collection",
      send(call("setApprovalForAll", [spender, true])),
      [["takes", "approvalForAll"]],
    ],
    [
      "a revoked collection approval",
      send(call("setApprovalForAll", [spender, false])),
      [["ends", "approvalForAllEnds"]],
    ],
    [
      "a transfer of ownership",
      send(call("transferOwnership", [otherAddress])),
      [["takes", "ownership"]],
    ],
    ["a renounced ownership", send(call("renounceOwnership", [])), [["careful", "ownershipGone"]]],
    ["a role", send(call("grantRole", [zero32, otherAddress])), [["takes", "role"]]],
    [
      "a program upgrade",
      send(call("upgradeToAndCall", [otherAddress, "0x"])),
      [["takes", "upgrade"]],
    ],
    [
      "a new owner of a group wallet",
      send(call("swapOwner", [spender, spender, otherAddress])),
      [["takes", "groupOwner"]],
    ],
    [
      "a group wallet's transaction and its inner call",
      typedData("SafeTx", {
        to: token,
        value: "0",
        data: call("approve", [spender, max]),
        operation: 0,
      }),
      [
        ["careful", "groupTransaction"],
        ["takes", "allowanceEndless"],
      ],
    ],
    [
      "a group wallet's delegate call",
      typedData("SafeTx", { to: token, value: "0", data: "0x", operation: "1" }),
      [
        ["careful", "groupTransaction"],
        ["takes", "delegates"],
        ["shows", "nothingMoves"],
      ],
    ],
    [
      "bytes that are not text",
      JSON.stringify({ method: "personal_sign", params: [`0x${"9c".repeat(32)}`, spender] }),
      [["takes", "blindText"]],
    ],
    [
      "a permit on chain",
      send(call("permit", [otherAddress, spender, max, max, 27, zero32, zero32])),
      [["takes", "allowanceEndless"]],
    ],
    [
      "several calls in one",
      send(
        call("multicall", [
          [call("approve", [spender, max]), call("transfer", [otherAddress, 1n])],
        ]),
      ),
      [
        ["takes", "allowanceEndless"],
        ["moves", "transfer"],
      ],
    ],
    [
      "coins with a call",
      send(call("transfer", [otherAddress, 7n]), { value: "0xde0b6b3a7640000" }),
      [
        ["moves", "sendsCoin"],
        ["moves", "transfer"],
      ],
    ],
    [
      "a claim that only takes money",
      send("0x4e71d92d", { value: "0x1" }),
      [
        ["moves", "sendsCoin"],
        ["careful", "unknownCall"],
      ],
    ],
    [
      "a delegated account (EIP-7702)",
      JSON.stringify({ to: token, authorizationList: [{}] }),
      [["takes", "delegates"]],
    ],
    ["a contract deployment", JSON.stringify({ data: "0x6080604052" }), [["careful", "deploys"]]],
    ["a bare call", call("approve", [spender, max]), [["takes", "allowanceEndless"]]],
    [
      "a signed permit",
      typedData("Permit", { spender, value: String(max) }),
      [["takes", "signedAllowanceEndless"]],
    ],
    [
      "a signed permit of DAI",
      typedData("Permit", { spender, allowed: true }),
      [["takes", "signedAllowanceEndless"]],
    ],
    [
      "a permit with an unreadable amount",
      typedData("Permit", { spender, value: "lots" }),
      [["takes", "signedAllowanceEndless"]],
    ],
    [
      "Permit2 over two tokens",
      typedData("PermitBatch", {
        spender,
        details: [
          { token, amount: String((1n << 160n) - 1n) },
          { token: otherAddress, amount: "3" },
        ],
      }),
      [
        ["takes", "signedAllowanceEndless"],
        ["takes", "signedAllowanceAmount"],
      ],
    ],
    [
      "a single Permit2 transfer",
      typedData("PermitTransferFrom", { spender, permitted: { token, amount: "3" } }),
      [["takes", "signedTransfer"]],
    ],
    ["a signed market order", typedData("OrderComponents", {}), [["takes", "signedOrder"]]],
    ["other typed data", typedData("Vote", {}), [["careful", "typedData"]]],
    [
      "a blind signature",
      JSON.stringify({ method: "eth_sign", params: [spender, zero32] }),
      [["takes", "blindSign"]],
    ],
    [
      "a sign-in",
      JSON.stringify({ method: "personal_sign", params: [hex(signInText), spender] }),
      [["shows", "signIn"]],
    ],
    ["a sign-in as text", signInText, [["shows", "signIn"]]],
    [
      "a text",
      JSON.stringify({ method: "personal_sign", params: [hex("I agree"), spender] }),
      [["careful", "signsText"]],
    ],
    [
      "a batch of calls",
      JSON.stringify({
        method: "wallet_sendCalls",
        params: [{ calls: [{ to: token, data: call("approve", [spender, 1n]) }] }],
      }),
      [["takes", "allowanceAmount"]],
    ],
    [
      "an unknown method",
      JSON.stringify({ method: "wallet_giveAll" }),
      [["careful", "unknownMethod"]],
    ],
    ["reading", JSON.stringify({ method: "eth_chainId" }), [["shows", "readsOnly"]]],
  ])("%s", (_title, text, expected) => {
    expect(explainRequest(text)?.map(({ risk, id }) => [risk, id])).toEqual(expected);
  });

  test("an explanation includes the parties and the amount", () => {
    expect(explainRequest(send(call("transfer", [otherAddress, 7n])))?.[0]?.values).toEqual({
      token,
      to: otherAddress,
      amount: "7",
    });
    expect(explainRequest(send("", { value: "0x16345785d8a0000" }))?.[0]?.values.amount).toBe(
      "0.1",
    );
  });
  test.each(["", "hello", "{", "[1]", "null", '{"a":1}', "0x12"])("%s is not a request", (text) => {
    expect(explainRequest(text)).toBeNull();
  });
  test.each([
    ["a truncated call", "0x095ea7b3"],
    ["a multicall with invalid offsets", `0xac9650d8${"ff".repeat(64)}`],
    ["a multicall of a million", `0xac9650d8${"20".padStart(64, "0")}${"f4240".padStart(64, "0")}`],
  ])("%s is never rated harmless", (_title, text) => {
    for (const { risk } of explainRequest(text) ?? []) expect(risk).not.toBe("shows");
  });
  test("every explanation has a text", () => {
    const words = JSON.parse(
      readFileSync(join(import.meta.dirname, "../../../../i18n/wallet-requests/en.json"), "utf8"),
    );
    const sources = ["calldata.ts", "request.ts", "typedData.ts"].map((file) =>
      readFileSync(join(import.meta.dirname, file), "utf8"),
    );
    const ids = sources.flatMap((source) =>
      [...source.matchAll(/createFinding\(\s*"\w+",\s*"(\w+)"/g)].map(([, id]) => id as string),
    );
    ids.push(
      "allowanceEndless",
      "allowanceAmount",
      "signedAllowanceEndless",
      "signedAllowanceAmount",
    );
    expect(ids.length).toBeGreaterThan(24);
    for (const id of ids) expect(words).toHaveProperty([`wallet-requests.does.${id}`]);
  });
});

test("an unknown call gets its name from published signatures and stays rated careful", () => {
  const requestFindings = explainRequest(send("0x18cbafe5")) ?? [];
  const [named] = addNames(requestFindings, signatures);
  expect(named).toMatchObject({
    risk: "careful",
    id: "namedCall",
    values: { name: "swapExactTokensForETH(uint256,uint256,address[],address,uint256)" },
  });
  const unknown = explainRequest(send("0x00c0ffee")) ?? [];
  expect(addNames(unknown, signatures)).toEqual(unknown);
});

test("every published name matches its selector, and the file cites its sources", () => {
  const entries = Object.entries(signatures.signatures);
  expect(entries.length).toBeGreaterThan(300);
  for (const [selector, names] of entries) {
    for (const name of names.split(" | ")) {
      expect(bytesToHex(keccak_256(utf8ToBytes(name)).slice(0, 4))).toBe(selector);
    }
  }
  expect(signatures.day).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  expect(signatures.sources.length).toBeGreaterThan(0);
});

test("each example has the danger that its name says", () => {
  const dangers = Object.values(examples).map((example) =>
    (explainRequest(JSON.stringify(example)) ?? []).map(getDanger),
  );
  expect(dangers).toEqual([["endless"], ["permit"], ["ownership"], [null]]);
});
