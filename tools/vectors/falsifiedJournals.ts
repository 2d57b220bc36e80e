import type { JournalReceipt } from "#core/records/journalReceiptSchema.ts";
import {
  computeCommitment,
  createCommitmentAt,
  findSecond,
  secondLeaf,
  startMs,
} from "./journalLedger.ts";
import { buildReceipt } from "./journalReceipts.ts";

export type Tamper = (receipt: JournalReceipt) => void;
/** Each entry is derived from the exchange. */
export const tampers: Record<string, Tamper> = {
  "without the practice mark": (r) => Object.assign(r, { practice: false }),
  "backed by something": (r) => Object.assign(r, { backing: "gold" }),
  "with a member nobody knows": (r) => Object.assign(r, { bonus: "1" }),
  "of another world": (r) => Object.assign(r, { world: "elsewhere" }),
  "of a faster market": (r) => Object.assign(r.market, { speed: 2 }),
  "one minor unit less given": (r) => Object.assign(r.legs[0]!, { amount: "-998999999" }),
  "less given, and less got by the house": (r) => {
    r.legs[0]!.amount = "-998999999";
    r.house[0]!.amount = "998999999";
  },
  "the fee left out": (r) => {
    r.legs.splice(1, 1);
    r.house.splice(1, 1);
  },
  "at another time": (r) => Object.assign(r.journal, { at_ms: startMs }),
  "asked for something else": (r) => Object.assign(r.journal, { body_hash: "00".repeat(32) }),
  "a larger balance after": (r) => Object.assign(r.legs[2]!, { balance: "3548647" }),
  "a larger balance before": (r) => {
    r.accounts[0]!.balance_before = "10000000001";
    for (const leg of r.legs.slice(0, 2)) leg.balance = String(BigInt(leg.balance) + 1n);
  },
  "a balance below zero": (r) => Object.assign(r.accounts[0]!, { balance_before: "1" }),
  "the entry after it left out": (r) => {
    r.accounts[0]!.entries.pop();
  },
  "another chain before": (r) => Object.assign(r.accounts[0]!, { hash_before: "11".repeat(32) }),
  "an account of another attempt": (r) =>
    Object.assign(r.accounts[0]!, { attempt_id: "attempt-2" }),
  "an account of another person": (r) => Object.assign(r.accounts[0]!, { owner: "person-2" }),
  "an account of another wallet": (r) =>
    Object.assign(r.accounts[0]!, { mark: computeCommitment("person-2") }),
  "an account of no wallet": (r) => Object.assign(r.accounts[0]!, { mark: "" }),
  "an account of another kind": (r) => Object.assign(r.accounts[0]!, { kind: "held" }),
  "the fee called an exchange, and the exchange a fee": (r) => {
    r.house[0]!.kind = "fees";
    r.house[1]!.kind = "exchange";
  },
  "the fee paid to another person": (r) => {
    const [fee] = r.house.splice(1, 1);
    r.others.push({ coin: fee!.coin, amount: fee!.amount });
  },
  "a fact that nothing computes": (r) => Object.assign(r.facts, { reason: "bonus" }),
  "a first entry of another account": (r) => Object.assign(r.accounts[1]!, { owner: "person-2" }),
  "at another place": (r) => Object.assign(r.accounts[0]!, { place: 1 }),
  "a neighbour with a smaller sum": (r) => {
    r.accounts[0]!.path[0]!.sums[0] = "1";
  },
  "a path one node short": (r) => {
    r.accounts[0]!.path.pop();
  },
  "a sum past what is hashed": (r) => {
    r.accounts[0]!.path[0]!.sums[0] = "9999999999999999999";
  },
  "the later commitment": (r) => Object.assign(r, { liabilities_leaf: 2 }),
  "a leaf of another kind": (r) => Object.assign(r, { liabilities_leaf: 0 }),
  "told a better rate": (r) => Object.assign(r.facts, { rate: "2815157" }),
  "told another index": (r) => Object.assign(r.facts, { index: "2812344" }),
  "without the second of its price": (r) => Object.assign(r, { second_leaf: null }),
  "a leaf past the end": (r) => Object.assign(r, { liabilities_leaf: 9 }),
};
/** Each entry is derived from the reward of an invitation. */
export const rewardTampers: Record<string, Tamper> = {
  "a reward that the other did not get": (r) => {
    r.others = [];
    r.house[0]!.amount = "-100000000";
  },
  "a reward of which the other got more": (r) => {
    r.others[0]!.amount = "300000000";
    r.house[0]!.amount = "-400000000";
  },
  "a reward that the other got in another coin": (r) => {
    r.others[0]!.coin = "pUSDC";
    r.house = [
      { kind: "issuance", coin: "pUSDT", amount: "-100000000" },
      { kind: "issuance", coin: "pUSDC", amount: "-100000000" },
    ];
  },
  "a reward out of what somebody paid": (r) => Object.assign(r.house[0]!, { kind: "fees" }),
  "a reward of two invitations at once": (r) => Object.assign(r.legs[0]!, { amount: "200000000" }),
};
/** Each entry is derived from the paid withdrawal. */
export const withdrawTampers: Record<string, Tamper> = {
  "facts of a kind that has none": (r) => Object.assign(r.facts, { address: "0x0" }),
  "a second that no price is taken from": (r) => Object.assign(r, { second_leaf: secondLeaf }),
  "the fee called what left": (r) => {
    r.house[0]!.kind = "fees";
    r.house[1]!.kind = "outside";
  },
};
/** Journals that no rule allows, with receipts that agree with the log in every other respect. */
export const wrongRewards: Record<string, number> = {
  "a larger reward, posted and committed": 9,
  "a reward out of fees, posted and committed": 10,
};

interface FalsifiedVector {
  name: string;
  at: number;
  insert: Uint8Array[];
  receipt: JournalReceipt;
}
/** Logs with other leaves at some place, and a receipt that otherwise follows from them. */
export const falsifiedJournals: FalsifiedVector[] = [
  {
    name: "an exchange at an index of 26 seconds before",
    at: secondLeaf,
    insert: [findSecond(3_000 - 26_000)],
    receipt: buildReceipt(3, "person-1"),
  },
  ...[
    { name: "fewer accounts than in the commitment before", change: { accounts: 9 } },
    { name: "a batch of before the commitment before", change: { batch: 9 } },
    { name: "made before the commitment before", change: { atMs: startMs + 86_400_000 } },
  ].map(({ name, change }) => ({
    name,
    at: 1,
    insert: [createCommitmentAt(0, change)],
    receipt: buildReceipt(6, "person-1"),
  })),
  {
    name: "a commitment that names itself as the one before",
    at: 2,
    insert: [createCommitmentAt(1, { before: 2 })],
    receipt: buildReceipt(6, "person-1"),
  },
  {
    name: "a commitment that skips one of more accounts",
    at: 2,
    insert: [
      createCommitmentAt(0, { before: 1, accounts: 9, batch: 2 }),
      createCommitmentAt(1, { before: 1 }),
    ],
    receipt: { ...buildReceipt(6, "person-1"), liabilities_leaf: 3 },
  },
];
