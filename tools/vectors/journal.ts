import {
  accountStart,
  type ChainEntry,
  chainGenesis,
  chainStep,
  ownerCommitment,
  partsHash,
} from "#core/ledger/chain.ts";
import type { Coin } from "#core/money/coins.ts";
import { checkJournal } from "#core/records/journalReceipt.ts";
import type { JournalReceipt, ReceiptAccount } from "#core/records/journalReceiptSchema.ts";
import { bytesToHex } from "#core/transparency-log/bytes.ts";
import { checkpointText, encodeVkey, signNote } from "#core/transparency-log/checkpoint.ts";
import { worldTag } from "#core/transparency-log/leaf.ts";
import { encodeLiabilities, type LiabilitiesLeaf } from "#core/transparency-log/liabilitiesLeaf.ts";
import { accountNode, foldNodes, sumPath } from "#core/transparency-log/liabilitiesTree.ts";
import { leafHash, treeRoot } from "#core/transparency-log/merkle.ts";
import { bindOrders, encodeSecond } from "#core/transparency-log/secondLeaf.ts";
import { encodeWorld, type WorldLeaf } from "#core/transparency-log/worldLeaf.ts";
import { vectorKey, vectorOrigin, vectorSigner } from "./log.ts";

/** A small ledger: three people, five accounts, two commitments. */
const startMs = 1_767_571_200_000;
const world: WorldLeaf = {
  world: "vector",
  market: { kind: "simulated", speed: 1 },
  simulator: 1,
  seedAnchor: new Uint8Array(32).fill(0x66),
  beacon: null,
  recording: null,
  createdAtMs: startMs,
  venues: ["north"],
  symbols: [
    { name: "BTC/USDT", scale: 2, venues: ["north"] },
    { name: "ETH/USDT", scale: 2, venues: ["north"] },
  ],
};
const index = [2_812_345n, 180_012n];

interface Account {
  id: bigint;
  owner: string;
  kind: "wallet" | "held";
  coin: Coin;
}
const accounts: Account[] = [
  { id: 11n, owner: "person-1", kind: "wallet", coin: "pUSDT" },
  { id: 12n, owner: "person-2", kind: "wallet", coin: "pUSDT" },
  { id: 14n, owner: "person-1", kind: "wallet", coin: "pBTC" },
  { id: 15n, owner: "person-1", kind: "held", coin: "pUSDT" },
  { id: 19n, owner: "person-3", kind: "wallet", coin: "pUSDT" },
  { id: 23n, owner: "person-1", kind: "wallet", coin: "pETH" },
];
const [one, two, btc, held, three, eth] = accounts.map(({ id }) => id) as [
  bigint,
  bigint,
  bigint,
  bigint,
  bigint,
  bigint,
];

type HouseLeg = { house: string; coin: Coin; amount: bigint };
type Leg = { account: bigint; amount: bigint } | HouseLeg;
interface Journal {
  kind: string;
  legs: Leg[];
}
const issued = (account: bigint): Journal => ({
  kind: "attempt.start",
  legs: [
    { account, amount: 10_000_000_000n },
    { house: "issuance", coin: "pUSDT", amount: -10_000_000_000n },
  ],
});
const rewarded = (first: bigint, second: bigint, toFirst: bigint, from = "issuance"): Journal => ({
  kind: "reward.invitation",
  legs: [
    { account: first, amount: toFirst },
    { account: second, amount: 100_000_000n },
    { house: from, coin: "pUSDT", amount: -toFirst - 100_000_000n },
  ],
});
/** The first commitment covers the first five, the second covers all. */
const journals: Journal[] = [
  issued(one),
  issued(two),
  issued(three),
  {
    kind: "exchange.execute",
    legs: [
      { account: one, amount: -999_000_000n },
      { house: "exchange", coin: "pUSDT", amount: 999_000_000n },
      { account: one, amount: -1_000_000n },
      { house: "fees", coin: "pUSDT", amount: 1_000_000n },
      { account: btc, amount: 3_548_646n },
      { house: "exchange", coin: "pBTC", amount: -3_548_646n },
    ],
  },
  {
    kind: "withdraw.place",
    legs: [
      { account: one, amount: -30_000_000n },
      { account: held, amount: 30_000_000n },
    ],
  },
  {
    kind: "withdraw.leave",
    legs: [
      { account: held, amount: -30_000_000n },
      { house: "outside", coin: "pUSDT", amount: 29_000_000n },
      { house: "fees", coin: "pUSDT", amount: 1_000_000n },
    ],
  },
  {
    kind: "send.move",
    legs: [
      { account: one, amount: -5_000_000n },
      { account: two, amount: 5_000_000n },
    ],
  },
  {
    // 0.01 pBTC for pETH through pUSDT: 280.672246 pUSDT, of which 0.280673 is the second fee.
    kind: "exchange.execute",
    legs: [
      { account: btc, amount: -999_000n },
      { house: "exchange", coin: "pBTC", amount: 999_000n },
      { account: btc, amount: -1_000n },
      { house: "fees", coin: "pBTC", amount: 1_000n },
      { house: "exchange", coin: "pETH", amount: -155_606_251n },
      { account: eth, amount: 155_606_251n },
      { house: "exchange", coin: "pUSDT", amount: -280_673n },
      { house: "fees", coin: "pUSDT", amount: 280_673n },
    ],
  },
  rewarded(one, three, 100_000_000n),
  // Posted and committed like any other, yet against the rule.
  rewarded(three, two, 150_000_000n),
  rewarded(three, two, 100_000_000n, "fees"),
];
const committedAfter = [5, journals.length];
const getId = (at: number) => `019b8b74-0000-8000-8000-${String(at + 1).padStart(12, "0")}`;
const timeAt = (at: number) => startMs + at * 1_000;
const toBody = (at: number) => new Uint8Array(32).fill(at + 1);

interface AccountState {
  position: bigint;
  balance: bigint;
  hash: Uint8Array;
}

function listEntries(account: Account, upTo: number): ChainEntry[] {
  let position = 0n;
  return journals.slice(0, upTo).flatMap(({ kind, legs }, at) =>
    legs.flatMap((leg, index) => {
      if (!("account" in leg) || leg.account !== account.id) return [];
      position += 1n;
      const journalId = getId(at);
      const [atMs, bodyHash] = [BigInt(timeAt(at)), toBody(at)];
      const entry = {
        account: account.id,
        position,
        journalId,
        leg: index + 1,
        amount: leg.amount,
      };
      return [{ ...entry, atMs, bodyHash, parts: toParts(legs), kind }];
    }),
  );
}

/** Two of the people have a wallet. */
const wallets: Record<string, string> = {
  "person-1": "0x1111111111111111111111111111111111111111",
  "person-2": "0x2222222222222222222222222222222222222222",
};
const computeSalt = (owner: string) => new Uint8Array(32).fill(owner.charCodeAt(7));
const computeCommitment = (owner: string) =>
  wallets[owner] ? ownerCommitment(computeSalt(owner), wallets[owner]) : "";
const getStart = (account: Account) =>
  accountStart(chainGenesis(world.world), {
    ...account,
    attemptId: "attempt-1",
    ownerCommitment: computeCommitment(account.owner),
  });
const getCoin = (id: bigint) => accounts.find((account) => account.id === id)!.coin;
const toParts = (legs: readonly Leg[]) =>
  partsHash(
    legs.map((leg) =>
      "account" in leg
        ? { name: "people", coin: getCoin(leg.account), amount: leg.amount }
        : { name: leg.house, coin: leg.coin, amount: leg.amount },
    ),
  );

function stateAfter(account: Account, entries: readonly ChainEntry[]): AccountState {
  return entries.reduce<AccountState>(
    (before, entry) => ({
      position: before.position + 1n,
      balance: before.balance + entry.amount,
      hash: chainStep(before.hash, entry),
    }),
    { position: 0n, balance: 0n, hash: getStart(account) },
  );
}

/**
 * Accounts in the order of their first entries, as a commitment after `upTo` journals orders them.
 */
function nodesAfter(upTo: number) {
  const first = (account: Account) =>
    journals.findIndex(({ legs }) =>
      legs.some((leg) => "account" in leg && leg.account === account.id),
    );
  const placed = accounts
    .filter((account) => listEntries(account, upTo).length > 0)
    .toSorted((a, b) => first(a) - first(b) || Number(a.id - b.id));
  return {
    placed,
    nodes: placed.map((account) =>
      accountNode({
        account: account.id,
        coin: account.coin,
        start: getStart(account),
        ...stateAfter(account, listEntries(account, upTo)),
      }),
    ),
  };
}

const entries = [
  encodeWorld(world),
  ...committedAfter.map((_, index) => commitmentAt(index)),
  findSecond(3_000),
];
/** The leaf of a commitment. */
function commitmentAt(at: number, change: Partial<LiabilitiesLeaf> = {}): Uint8Array {
  const upTo = committedAfter[at]!;
  const { nodes } = nodesAfter(upTo);
  const { hash, sums } = foldNodes(nodes);
  return encodeLiabilities({
    world: world.world,
    before: at === 0 ? null : at,
    atMs: timeAt(upTo),
    batch: at + 1,
    batchHead: new Uint8Array(32).fill(0x80 + at),
    accounts: nodes.length,
    root: hash,
    users: sums,
    house: sums.map((sum) => -sum),
    ...change,
  });
}

/** The second of the exchanges' prices, so many milliseconds after the start. */
function findSecond(afterMs: number): Uint8Array {
  const quotes = [index.map((value) => ({ bid: value - 1n, ask: value + 1n }))];
  const second = { secondMs: startMs + afterMs, quotes, index, ...bindOrders([]) };
  return encodeSecond(second, worldTag(world.world));
}
/** Facts of an exchange, as named in docs/formats/journal.md. */
const secondLeaf = entries.length - 1;
const exchangeFacts: Record<number, Record<string, string>> = {
  3: { rate: "2815158", index: "2812345" },
  7: {
    rate: "2809532",
    index: "2812345",
    rate_2: "180193",
    index_2: "180012",
  },
};

function buildAccount(account: Account, journal: number, upTo: number): ReceiptAccount {
  const all = listEntries(account, upTo);
  const first = all.findIndex(({ journalId }) => journalId === getId(journal));
  const before = stateAfter(account, all.slice(0, first));
  const { placed, nodes } = nodesAfter(upTo);
  const index = placed.indexOf(account);
  return {
    account: String(account.id),
    owner: account.owner,
    attempt_id: "attempt-1",
    kind: account.kind,
    coin: account.coin,
    mark: computeCommitment(account.owner),
    position_before: Number(before.position),
    balance_before: String(before.balance),
    hash_before: bytesToHex(before.hash),
    entries: all.slice(first).map((entry) => ({
      journal_id: entry.journalId,
      leg: entry.leg,
      amount: String(entry.amount),
      at_ms: Number(entry.atMs),
      body_hash: bytesToHex(entry.bodyHash),
      parts: bytesToHex(entry.parts),
      kind: entry.kind,
    })),
    place: index,
    path: sumPath(nodes, index).map(({ hash, sums }) => ({
      hash: bytesToHex(hash),
      sums: sums.map(String),
    })),
  };
}

/** The receipt of journal `at` for a person. */
function buildReceipt(at: number, owner: string): JournalReceipt {
  const { kind, legs } = journals[at]!;
  const leaf = committedAfter.findIndex((count) => count > at);
  const upTo = committedAfter[leaf]!;
  const mine = accounts.filter(
    (account) =>
      account.owner === owner && legs.some((leg) => "account" in leg && leg.account === account.id),
  );
  const own = mine.flatMap((account) =>
    listEntries(account, upTo).filter(({ journalId }) => journalId === getId(at)),
  );
  return {
    format: "drydock.receipt.journal/1",
    practice: true,
    backing: "none",
    world: world.world,
    market: world.market,
    journal: { id: getId(at), kind, at_ms: timeAt(at), body_hash: bytesToHex(toBody(at)) },
    legs: own
      .toSorted((a, b) => a.leg - b.leg)
      .map(({ account, position, leg, amount }) => {
        const owned = mine.find(({ id }) => id === account)!;
        const balance = stateAfter(
          owned,
          listEntries(owned, upTo).slice(0, Number(position)),
        ).balance;
        const [id, text] = [String(account), String(amount)];
        return {
          leg,
          account: id,
          amount: text,
          position: Number(position),
          balance: String(balance),
        };
      }),
    house: legs.flatMap((leg) =>
      "house" in leg ? [{ kind: leg.house, coin: leg.coin, amount: String(leg.amount) }] : [],
    ),
    others: legs.flatMap((leg) =>
      "account" in leg && !mine.some(({ id }) => id === leg.account)
        ? [{ coin: getCoin(leg.account), amount: String(leg.amount) }]
        : [],
    ),
    facts: exchangeFacts[at] ?? {},
    orders: [],
    accounts: mine.map((account) => buildAccount(account, at, upTo)),
    liabilities_leaf: leaf + 1,
    second_leaf: exchangeFacts[at] ? secondLeaf : null,
    log: { origin: vectorOrigin, vkey: encodeVkey(vectorKey) },
  };
}

type Tamper = (receipt: JournalReceipt) => void;
/** Each is derived from the exchange. */
const tampers: Record<string, Tamper> = {
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
/** Each is derived from the reward of an invitation. */
const rewardTampers: Record<string, Tamper> = {
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
/** Each is derived from the withdrawal that left. */
const withdrawTampers: Record<string, Tamper> = {
  "facts of a kind that has none": (r) => Object.assign(r.facts, { address: "0x0" }),
  "a second that no price is taken from": (r) => Object.assign(r, { second_leaf: secondLeaf }),
  "the fee called what left": (r) => {
    r.house[0]!.kind = "fees";
    r.house[1]!.kind = "outside";
  },
};
/** Journals that no rule allows, with receipts that agree with the log in every other respect. */
const wrongRewards: Record<string, number> = {
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
const falsified: FalsifiedVector[] = [
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
    insert: [commitmentAt(0, change)],
    receipt: buildReceipt(6, "person-1"),
  })),
  {
    name: "a commitment that names itself as the one before",
    at: 2,
    insert: [commitmentAt(1, { before: 2 })],
    receipt: buildReceipt(6, "person-1"),
  },
  {
    name: "a commitment that skips one of more accounts",
    at: 2,
    insert: [commitmentAt(0, { before: 1, accounts: 9, batch: 2 }), commitmentAt(1, { before: 1 })],
    receipt: { ...buildReceipt(6, "person-1"), liabilities_leaf: 3 },
  },
];

export function journalVectors() {
  const root = treeRoot(entries.map(leafHash));
  const leaves = new Map(entries.map((entry, index) => [index, entry]));
  const receipts = [
    buildReceipt(0, "person-1"),
    buildReceipt(3, "person-1"),
    buildReceipt(4, "person-1"),
    buildReceipt(5, "person-1"),
    buildReceipt(6, "person-1"),
    buildReceipt(6, "person-2"),
    buildReceipt(7, "person-1"),
    buildReceipt(8, "person-1"),
    buildReceipt(8, "person-3"),
  ];
  for (const receipt of receipts) {
    const check = checkJournal(receipt, world, leaves);
    if (!check.ok)
      throw new Error(`a receipt of the vectors fails: ${JSON.stringify(check.steps.at(-1))}`);
  }
  return {
    about:
      "A log with two commitments, receipts of journals that agree with it, and altered ones with what must be found. In `falsified` the log is `entries` with `remove` leaves from `at` on replaced by `insert`.",
    vkey: encodeVkey(vectorKey),
    checkpoint: signNote(checkpointText({ origin: vectorOrigin, size: entries.length, root }), [
      vectorSigner,
    ]),
    entries: entries.map(bytesToHex),
    receipts,
    owners: Object.entries(wallets).map(([owner, address]) => ({
      owner,
      address,
      salt: bytesToHex(computeSalt(owner)),
      mark: computeCommitment(owner),
    })),
    altered: [
      ...altered(tampers, receipts[1]!),
      ...altered(rewardTampers, receipts[7]!),
      ...altered(withdrawTampers, receipts[3]!),
      ...Object.entries(wrongRewards).map(([name, index]) =>
        refused(name, buildReceipt(index, "person-3")),
      ),
    ],
    falsified: falsified.map(({ name, at, insert, receipt }) => {
      const log = entries.toSpliced(at, insert.length, ...insert);
      const found = refused(name, receipt, new Map(log.entries()));
      return { ...found, at, remove: insert.length, insert: insert.map(bytesToHex) };
    }),
  };

  function altered(changes: Record<string, Tamper>, from: JournalReceipt) {
    return Object.entries(changes).map(([name, alter]) => {
      const receipt = structuredClone(from);
      alter(receipt);
      return refused(name, receipt);
    });
  }

  function refused(name: string, receipt: JournalReceipt, from = leaves) {
    const failed = checkJournal(receipt, world, from).steps.find(({ ok }) => !ok);
    if (!failed) throw new Error(`the altered receipt passes: ${name}`);
    return { name, receipt, step: failed.step, difference: failed.difference };
  }
}
