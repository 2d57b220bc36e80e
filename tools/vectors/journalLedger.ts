import {
  type ChainEntry,
  chainGenesis,
  chainStep,
  computeAccountStart,
  computeOwnerCommitment,
  partsHash,
} from "#core/ledger/chain.ts";
import type { Coin } from "#core/money/coins.ts";
import { worldTag } from "#core/transparency-log/leaf.ts";
import { encodeLiabilities, type LiabilitiesLeaf } from "#core/transparency-log/liabilitiesLeaf.ts";
import { createAccountNode, foldNodes } from "#core/transparency-log/liabilitiesTree.ts";
import { bindOrders, encodeSecond } from "#core/transparency-log/secondLeaf.ts";
import { encodeWorld, type WorldLeaf } from "#core/transparency-log/worldLeaf.ts";

/** A small ledger: three people, five accounts, two commitments. */
export const startMs = 1_767_571_200_000;
export const world: WorldLeaf = {
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

export interface Account {
  id: bigint;
  owner: string;
  kind: "wallet" | "held";
  coin: Coin;
}
export const accounts: Account[] = [
  { id: 11n, owner: "person-1", kind: "wallet", coin: "pUSDT" },
  { id: 12n, owner: "person-2", kind: "wallet", coin: "pUSDT" },
  { id: 14n, owner: "person-1", kind: "wallet", coin: "pBTC" },
  { id: 15n, owner: "person-1", kind: "held", coin: "pUSDT" },
  { id: 19n, owner: "person-3", kind: "wallet", coin: "pUSDT" },
  { id: 23n, owner: "person-1", kind: "wallet", coin: "pETH" },
];
const [one, two, btc, heldAccount, three, eth] = accounts.map(({ id }) => id) as [
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
export const journals: Journal[] = [
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
      { account: heldAccount, amount: 30_000_000n },
    ],
  },
  {
    kind: "withdraw.leave",
    legs: [
      { account: heldAccount, amount: -30_000_000n },
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
export const committedAfter = [5, journals.length];
export const getId = (index: number) =>
  `019b8b74-0000-8000-8000-${String(index + 1).padStart(12, "0")}`;
export const getTimeAt = (index: number) => startMs + index * 1_000;
export const toBody = (index: number) => new Uint8Array(32).fill(index + 1);

interface AccountState {
  position: bigint;
  balance: bigint;
  hash: Uint8Array;
}

export function listEntries(account: Account, upTo: number): ChainEntry[] {
  let position = 0n;
  return journals.slice(0, upTo).flatMap(({ kind, legs }, journalIndex) =>
    legs.flatMap((leg, index) => {
      if (!("account" in leg) || leg.account !== account.id) return [];
      position += 1n;
      const journalId = getId(journalIndex);
      const [atMs, bodyHash] = [BigInt(getTimeAt(journalIndex)), toBody(journalIndex)];
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
export const wallets: Record<string, string> = {
  "person-1": "0x1111111111111111111111111111111111111111",
  "person-2": "0x2222222222222222222222222222222222222222",
};
export const computeSalt = (owner: string) => new Uint8Array(32).fill(owner.charCodeAt(7));
export const computeCommitment = (owner: string) =>
  wallets[owner] ? computeOwnerCommitment(computeSalt(owner), wallets[owner]) : "";
const getStart = (account: Account) =>
  computeAccountStart(chainGenesis(world.world), {
    ...account,
    attemptId: "attempt-1",
    ownerCommitment: computeCommitment(account.owner),
  });
export const getCoin = (id: bigint) => accounts.find((account) => account.id === id)!.coin;
const toParts = (legs: readonly Leg[]) =>
  partsHash(
    legs.map((leg) =>
      "account" in leg
        ? { name: "people", coin: getCoin(leg.account), amount: leg.amount }
        : { name: leg.house, coin: leg.coin, amount: leg.amount },
    ),
  );

export function getStateAfter(account: Account, entries: readonly ChainEntry[]): AccountState {
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
export function getNodesAfter(upTo: number) {
  const first = (account: Account) =>
    journals.findIndex(({ legs }) =>
      legs.some((leg) => "account" in leg && leg.account === account.id),
    );
  const createPlacement = accounts
    .filter((account) => listEntries(account, upTo).length > 0)
    .toSorted((a, b) => first(a) - first(b) || Number(a.id - b.id));
  return {
    placed: createPlacement,
    nodes: createPlacement.map((account) =>
      createAccountNode({
        account: account.id,
        coin: account.coin,
        start: getStart(account),
        ...getStateAfter(account, listEntries(account, upTo)),
      }),
    ),
  };
}

export const entries = [
  encodeWorld(world),
  ...committedAfter.map((_, index) => createCommitmentAt(index)),
  findSecond(3_000),
];
/** The leaf of a commitment. */
export function createCommitmentAt(
  index: number,
  change: Partial<LiabilitiesLeaf> = {},
): Uint8Array {
  const upTo = committedAfter[index]!;
  const { nodes } = getNodesAfter(upTo);
  const { hash, sums } = foldNodes(nodes);
  return encodeLiabilities({
    world: world.world,
    before: index === 0 ? null : index,
    atMs: getTimeAt(upTo),
    batch: index + 1,
    batchHead: new Uint8Array(32).fill(0x80 + index),
    accounts: nodes.length,
    root: hash,
    users: sums,
    house: sums.map((sum) => -sum),
    ...change,
  });
}

/** The second of the exchanges' prices, this many milliseconds after the start. */
export function findSecond(afterMs: number): Uint8Array {
  const quotes = [index.map((value) => ({ bid: value - 1n, ask: value + 1n }))];
  const second = { secondMs: startMs + afterMs, quotes, index, ...bindOrders([]) };
  return encodeSecond(second, worldTag(world.world));
}

/** The second with the prices of the exchanges. */
export const secondLeaf = entries.length - 1;
