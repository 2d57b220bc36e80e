import {
  type ChainEntry,
  chainGenesis,
  chainStep,
  computeAccountStart,
  partsHash,
} from "#core/ledger/chain.ts";
import type { Coin } from "#core/money/coins.ts";
import { checkJournal } from "#core/records/journalReceipt.ts";
import type { JournalReceipt } from "#core/records/journalReceiptSchema.ts";
import { bytesToHex } from "#core/transparency-log/bytes.ts";
import { encodeVkey } from "#core/transparency-log/checkpoint.ts";
import { encodeLiabilities } from "#core/transparency-log/liabilitiesLeaf.ts";
import {
  createAccountNode,
  foldNodes,
  getSumPath,
} from "#core/transparency-log/liabilitiesTree.ts";
import type { WorldLeaf } from "#core/transparency-log/worldLeaf.ts";
import { vectorKey, vectorOrigin } from "./log.ts";

/** An account of one person; those of pUSDT begin with what an attempt gives. */
export interface LedgerAccount {
  id: bigint;
  coin: Coin;
  attemptId: string;
  kind?: "wallet" | "held";
}

/** One journal, on accounts whose only other entry is the start of their attempt. */
export interface PostedJournal {
  id: string;
  kind: string;
  atMs: number;
  legs: (readonly [account: LedgerAccount, amount: bigint])[];
  house: string;
  orders: object[];
}

/** The log that the ledger is committed in: one more leaf at its end. */
export interface LedgerLog {
  world: WorldLeaf;
  entries: readonly Uint8Array[];
  /** The number of entries that are those of the vectors; all by default. */
  keep?: number;
  /** The index of the previous commitment. */
  before?: number;
}

export type CommittedLedger = ReturnType<typeof createLedger>;

const owner = "person-1";
const startId = (index: number) =>
  `018d0000-0000-8000-8000-0000000000${(0xff - index).toString(16)}`;

function getStarts(accounts: readonly LedgerAccount[], { world }: LedgerLog): PostedJournal[] {
  return accounts
    .filter(({ coin }) => coin === "pUSDT")
    .map((account, index) => ({
      id: startId(index),
      kind: "attempt.start",
      atMs: world.createdAtMs,
      legs: [[account, 10_000_000_000n]],
      house: "issuance",
      orders: [],
    }));
}

const getCoins = ({ legs }: PostedJournal) => [...new Set(legs.map(([{ coin }]) => coin))];
const sumUp = ({ legs }: PostedJournal, coin: Coin) =>
  legs.reduce((sum, [account, amount]) => sum + (account.coin === coin ? amount : 0n), 0n);

function listEntries(account: LedgerAccount, journals: readonly PostedJournal[]): ChainEntry[] {
  let position = 0n;
  return journals.flatMap((journal) =>
    journal.legs.flatMap(([of, amount], index) => {
      if (of.id !== account.id) return [];
      position += 1n;
      const parts = partsHash(
        getCoins(journal).flatMap((coin) => [
          { name: "people", coin, amount: sumUp(journal, coin) },
          { name: journal.house, coin, amount: -sumUp(journal, coin) },
        ]),
      );
      return [
        {
          account: account.id,
          position,
          journalId: journal.id,
          leg: index + 1,
          amount,
          atMs: BigInt(journal.atMs),
          bodyHash: new Uint8Array(32).fill(0x61),
          parts,
          kind: journal.kind,
        },
      ];
    }),
  );
}

/** The account's chain: what it starts from, and its state after each entry. */
function getChain(
  account: LedgerAccount,
  journals: readonly PostedJournal[],
  { world }: LedgerLog,
) {
  const { id, coin, attemptId, kind = "wallet" } = account;
  const accountFields = { id, owner, attemptId, kind, coin, ownerCommitment: "" };
  const start = computeAccountStart(chainGenesis(world.world), accountFields);
  let [hash, balance] = [start, 0n];
  const steps = listEntries(account, journals).map((entry) => {
    const before = { hash, balance };
    [hash, balance] = [chainStep(hash, entry), balance + entry.amount];
    return { entry, before, balance };
  });
  return { account, kind, start, steps, hash, balance };
}

/** The leaf that commits to the accounts after the journal, and the journal's receipt. */
export function createLedger(log: LedgerLog, journal: PostedJournal) {
  const { world, entries, before: leafBefore = null } = log;
  const accounts = [...new Set(journal.legs.map(([account]) => account))];
  const starts = getStarts(accounts, log);
  const journals = starts.some(({ id }) => id === journal.id) ? starts : [...starts, journal];
  const chains = accounts.map((account) => getChain(account, journals, log));
  const nodes = chains.map(({ account: { id, coin }, steps, balance, start, hash }) =>
    createAccountNode({ account: id, coin, position: BigInt(steps.length), balance, start, hash }),
  );
  const { hash: root, sums } = foldNodes(nodes);
  const leaf = encodeLiabilities({
    world: world.world,
    before: leafBefore,
    atMs: leafBefore === null ? journal.atMs : journal.atMs + 60_000,
    batch: leafBefore === null ? 1 : 2,
    batchHead: new Uint8Array(32).fill(0x90),
    accounts: nodes.length,
    root,
    users: sums,
    house: sums.map((sum) => -sum),
  });
  const legs = chains
    .flatMap(({ steps }) => steps.filter(({ entry }) => entry.journalId === journal.id))
    .toSorted((a, b) => a.entry.leg - b.entry.leg);
  const receipt: JournalReceipt = {
    format: "drydock.receipt.journal/1",
    practice: true,
    backing: "none",
    world: world.world,
    market: world.market,
    journal: {
      id: journal.id,
      kind: journal.kind,
      at_ms: journal.atMs,
      body_hash: bytesToHex(legs[0]!.entry.bodyHash),
    },
    legs: legs.map(({ entry, balance }) => ({
      leg: entry.leg,
      account: String(entry.account),
      amount: String(entry.amount),
      position: Number(entry.position),
      balance: String(balance),
    })),
    house: getCoins(journal).map((coin) => ({
      kind: journal.house,
      coin,
      amount: String(-sumUp(journal, coin)),
    })),
    others: [],
    facts: {},
    orders: journal.orders as Record<string, unknown>[],
    accounts: chains.map(({ account, kind, steps }, index) => {
      const ownSteps = steps.filter(({ entry }) => entry.journalId === journal.id);
      const { entry, before } = ownSteps[0]!;
      return {
        account: String(account.id),
        owner,
        attempt_id: account.attemptId,
        kind,
        coin: account.coin,
        mark: "",
        position_before: Number(entry.position) - 1,
        balance_before: String(before.balance),
        hash_before: bytesToHex(before.hash),
        entries: ownSteps.map(({ entry: chainEntry }) => ({
          journal_id: chainEntry.journalId,
          leg: chainEntry.leg,
          amount: String(chainEntry.amount),
          at_ms: Number(chainEntry.atMs),
          body_hash: bytesToHex(chainEntry.bodyHash),
          parts: bytesToHex(chainEntry.parts),
          kind: chainEntry.kind,
        })),
        place: index,
        path: getSumPath(nodes, index).map(({ hash, sums: of }) => ({
          hash: bytesToHex(hash),
          sums: of.map(String),
        })),
      };
    }),
    liabilities_leaf: entries.length,
    second_leaf: null,
    log: { origin: vectorOrigin, vkey: encodeVkey(vectorKey) },
  };
  return { log, leaf, receipt };
}

/**
 * Vectors of journals that moved money for orders: honest ones, and altered ones with what must be
 * found. The log of each is the first `keep` leaves of the vectors' log, and `append`.
 */
export function createJournalVectors(
  honestLedgers: readonly CommittedLedger[],
  falsified: Readonly<Record<string, CommittedLedger>>,
) {
  const check = ({ log: { world, entries }, leaf, receipt }: CommittedLedger) =>
    checkJournal(receipt, world, new Map([...entries, leaf].entries())).steps.find(({ ok }) => !ok);
  const toVector = ({
    log: { entries, keep = entries.length },
    leaf,
    receipt,
  }: CommittedLedger) => ({
    keep,
    append: [...entries.slice(keep), leaf].map(bytesToHex),
    receipt,
  });
  for (const item of honestLedgers) {
    const failedStep = check(item);
    if (failedStep)
      throw new Error(`${item.receipt.journal.kind} differs: ${failedStep.difference}`);
  }
  return {
    receipts: honestLedgers.map(toVector),
    altered: Object.entries(falsified).map(([name, item]) => {
      const failedStep = check(item);
      if (!failedStep) throw new Error(`the altered receipt passes: ${name}`);
      const { step, difference } = failedStep;
      return { name, ...toVector(item), step, difference };
    }),
  };
}
