import { createHash } from "node:crypto";
import { bytesToHex } from "@noble/hashes/utils.js";
import { expect, test } from "vitest";
import {
  type ChainEntry,
  chainGenesis,
  chainStep,
  computeAccountStart,
  computeBatchHead,
  computeOwnerCommitment,
  entryBytes,
  partsHash,
} from "#core/ledger/chain.ts";

const entry: ChainEntry = {
  account: 7n,
  position: 3n,
  journalId: "019f1a2b-3c4d-7e5f-8a6b-7c8d9e0f1a2b",
  leg: 2,
  amount: -101_000_000n,
  atMs: 1_767_571_200_000n,
  bodyHash: new Uint8Array(32).fill(0xab),
  parts: new Uint8Array(32).fill(0xcd),
  kind: "contract.open",
};
const sha256 = (...parts: (string | Uint8Array)[]) => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
};

test("an entry's bytes follow the layout in docs/rules/ledger.md", () => {
  expect(bytesToHex(entryBytes(entry))).toBe(
    [
      "02",
      "01",
      "0000000000000007",
      "0000000000000003",
      "019f1a2b3c4d7e5f8a6b7c8d9e0f1a2b",
      "00000002",
      "fffffffff9fadcc0",
      "0000019b8b741800",
      "ab".repeat(32),
      "cd".repeat(32),
      Buffer.from("contract.open").toString("hex"),
    ].join(""),
  );
});

test("the genesis hashes the format, the practice labels and the world", () => {
  expect(bytesToHex(chainGenesis("harbour"))).toBe(
    sha256(
      '{"format":"drydock-ledger-chain-2","practice":true,"backing":"none","world":"harbour"}',
    ),
  );
});

test("an account's chain starts from the genesis and the account's identity", () => {
  const genesis = chainGenesis("harbour");
  const account = {
    id: 7n,
    owner: "u1",
    attemptId: "a1",
    kind: "wallet",
    coin: "pUSDT",
    ownerCommitment: "ef",
  };
  expect(bytesToHex(computeAccountStart(genesis, account))).toBe(
    sha256(genesis, '[7,"u1","a1","wallet","pUSDT","ef"]'),
  );
});

test("an entry hashes its predecessor; a batch hashes the previous head and its steps", () => {
  const start = chainGenesis("harbour");
  const hash = chainStep(start, entry);
  expect(bytesToHex(hash)).toBe(sha256(start, entryBytes(entry)));
  const eight = (value: number) => Buffer.from(value.toString(16).padStart(16, "0"), "hex");
  expect(bytesToHex(computeBatchHead(start, 1n, [{ account: 7n, position: 3n, hash }]))).toBe(
    sha256(start, eight(1), eight(7), eight(3), hash),
  );
});

test.each<[string, Partial<ChainEntry>]>([
  ["account", { account: 8n }],
  ["position", { position: 4n }],
  ["journal", { journalId: "019f1a2b-3c4d-7e5f-8a6b-7c8d9e0f1a2c" }],
  ["leg", { leg: 1 }],
  ["amount", { amount: 101_000_000n }],
  ["time", { atMs: 1_767_571_200_001n }],
  ["body", { bodyHash: new Uint8Array(32) }],
  ["parts", { parts: new Uint8Array(32) }],
  ["kind", { kind: "contract.void" }],
])("changing the %s changes the hash", (_title, change) => {
  const start = chainGenesis("harbour");
  expect(bytesToHex(chainStep(start, { ...entry, ...change }))).not.toBe(
    bytesToHex(chainStep(start, entry)),
  );
});

test("journal parts are summed by kind of house account and over all people", () => {
  const parts = [
    { name: "people", coin: "pUSDT", amount: -5n },
    { name: "fees", coin: "pUSDT", amount: 2n },
    { name: "people", coin: "pUSDT", amount: 3n },
  ];
  expect(bytesToHex(partsHash(parts))).toBe(sha256("fees pUSDT 2\npeople pUSDT -2\n"));
});

test("an owner commitment hashes the salt and the lower-case address", () => {
  const salt = new Uint8Array(32).fill(7);
  expect(computeOwnerCommitment(salt, "0xAbC")).toBe(sha256("drydock.owner/1\n", salt, "0xabc"));
});
