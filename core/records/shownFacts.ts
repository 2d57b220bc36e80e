import { sha256 } from "@noble/hashes/sha2.js";
import { parseReceipt } from "#core/contracts/receiptSchema.ts";
import {
  parseHostingReceipt,
  parseMarkReceipt,
  parseTradeReceipt,
} from "#core/hosting/receipt/receiptSchema.ts";
import { parseLeaseReceipt } from "#core/mining/receiptSchema.ts";
import { computeChainHeads } from "#core/records/journalReceipt.ts";
import { parseJournalReceipt, type ReceiptAccount } from "#core/records/journalReceiptSchema.ts";
import { bytesToHex } from "#core/transparency-log/bytes.ts";
import { type Canonical, canonicalBytes } from "#core/transparency-log/canonical.ts";
import { readKind } from "#core/transparency-log/leaf.ts";
import { isCount, isHash, isObject } from "#core/transparency-log/schema.ts";
import { decodeSecond } from "#core/transparency-log/secondLeaf.ts";

/**
 * Facts that a receipt shows and no other receipt of the same log may contradict. Source:
 * docs/formats/comparison.md.
 */
export interface ShownFacts {
  /** By subject: SHA-256 of the canonical JSON of its value, hex. */
  facts: Map<string, string>;
  /** How many entries of an account a `liabilities` leaf commits to. */
  commitments: { account: string; leaf: number; position: number }[];
  /** World time of each `second` leaf that was read, in ms, by its index. */
  seconds: Map<number, number>;
}

export type ComparisonMismatch =
  | "receipts_contradict"
  | "account_past_differs"
  | "account_fell_back"
  | "seconds_not_ascending";

export const createShownFacts = (): ShownFacts => ({
  facts: new Map(),
  commitments: [],
  seconds: new Map(),
});

type Fields = Record<string, unknown>;

/** The facts shown by a receipt that agrees with these leaves. */
export function extractFacts(
  receipt: unknown,
  leaves: ReadonlyMap<number, Uint8Array>,
): ShownFacts {
  const shownFacts = createShownFacts();
  addReceipt(shownFacts, receipt);
  for (const [index, bytes] of leaves) {
    const kind = readKind(bytes, null);
    const second = kind.ok && kind.value === "second" ? decodeSecond(bytes, null) : null;
    if (second?.ok) shownFacts.seconds.set(index, second.value.secondMs);
  }
  return shownFacts;
}

function addReceipt(shownFacts: ShownFacts, receipt: unknown): void {
  const value = isObject(receipt) ? receipt : {};
  const add = (subject: string, ...members: unknown[]) =>
    shownFacts.facts.set(subject, hashCanonical(members));
  const contract = parseReceipt(receipt);
  if (contract) {
    addOrder(shownFacts, value);
    add(`result ${text(contract.order.order_id)}`, contract.entry_leaf, contract.result);
  }
  const hostingReceipt = parseHostingReceipt(receipt);
  if (hostingReceipt) {
    addOrder(shownFacts, value);
    add(`result ${hostingReceipt.order.order_id}`, hostingReceipt.mark_leaf, hostingReceipt.result);
  }
  const leaseReceipt = parseLeaseReceipt(receipt);
  if (leaseReceipt) {
    const { lease, ended, payouts } = leaseReceipt;
    add(`lease ${lease.lease_id}`, lease, leaseReceipt.bound_leaf);
    for (const { day, amount } of payouts) add(`day ${lease.lease_id} ${day}`, amount);
    if (ended) add(`ending ${lease.lease_id}`, ended.ending, ended.bound_leaf);
  }
  const trade = parseTradeReceipt(receipt);
  if (trade) {
    const { pool_id: pool, number, decision_leaf: decision, fill_leaves: fills, result } = trade;
    add(`trade ${pool} ${number}`, decision, fills, result);
  }
  const mark = parseMarkReceipt(receipt);
  if (mark) add(`mark ${mark.pool_id} ${mark.at_ms}`, mark.mark_leaf, mark.result);
  if (value.format === "drydock.receipt.publication/1") {
    const { publication, leaf, kind, subject, version, body } = value;
    add(`publication ${text(publication)}`, leaf, kind, subject, version, body);
  }
  addJournal(shownFacts, receipt);
}

/** An order of contracts or pools, or a lease, with the leaf that binds it. */
function addOrder(shownFacts: ShownFacts, { order, bound_leaf: boundLeaf }: Fields): void {
  if (!isObject(order)) return;
  const isLease = order.lease_id !== undefined;
  const subject = isLease ? `lease ${text(order.lease_id)}` : `order ${text(order.order_id)}`;
  shownFacts.facts.set(subject, hashCanonical([order, boundLeaf]));
}

function addJournal(shownFacts: ShownFacts, value: unknown): void {
  const receipt = parseJournalReceipt(value);
  if (!receipt) return;
  const { journal, accounts, orders, liabilities_leaf: leaf } = receipt;
  shownFacts.facts.set(
    `journal ${journal.id}`,
    hashCanonical([journal, accounts[0]!.entries[0]!.parts]),
  );
  for (const order of orders) {
    if (order.format === undefined) addOrder(shownFacts, order);
    else addReceipt(shownFacts, order);
  }
  for (const receiptAccount of accounts) {
    const { account, owner, attempt_id: attempt, kind, coin, mark, place } = receiptAccount;
    shownFacts.facts.set(
      `account ${account}`,
      hashCanonical([owner, attempt, kind, coin, mark, place]),
    );
    for (const [position, state] of listStates(receiptAccount))
      shownFacts.facts.set(stateSubject(account, position), hashCanonical(state));
    const position = receiptAccount.position_before + receiptAccount.entries.length;
    shownFacts.commitments.push({ account, leaf, position });
  }
}

const stateSubject = (account: string, position: number) => `state ${account} ${position}`;

/** Head and balance of the account's chain at each position, from before the journal on. */
function listStates(receiptAccount: ReceiptAccount): [number, [head: string, balance: string]][] {
  const heads = [receiptAccount.hash_before, ...computeChainHeads(receiptAccount).map(bytesToHex)];
  let balance = BigInt(receiptAccount.balance_before);
  return heads.map((head, index) => {
    if (index > 0) balance += BigInt(receiptAccount.entries[index - 1]!.amount);
    return [receiptAccount.position_before + index, [head, balance.toString()]];
  });
}

const text = (value: unknown) => (typeof value === "string" ? value : "");
const hashCanonical = (value: unknown) => bytesToHex(sha256(canonicalBytes(value as Canonical)));

/**
 * Returns the first contradiction between known facts and those of a receipt; null if there is
 * none.
 */
export function findContradiction(
  knownFacts: ShownFacts,
  shownFacts: ShownFacts,
): { difference: ComparisonMismatch; subject: string } | null {
  for (const [subject, value] of shownFacts.facts) {
    if ((knownFacts.facts.get(subject) ?? value) === value) continue;
    const isPast = subject.startsWith("state ") || subject.startsWith("account ");
    return { difference: isPast ? "account_past_differs" : "receipts_contradict", subject };
  }
  for (const { account, leaf, position } of shownFacts.commitments) {
    const isFallenBack = knownFacts.commitments.some(
      (commitment) =>
        commitment.account === account &&
        ((commitment.leaf <= leaf && commitment.position > position) ||
          (commitment.leaf >= leaf && commitment.position < position)),
    );
    if (isFallenBack) return { difference: "account_fell_back", subject: `account ${account}` };
  }
  const seconds = [...knownFacts.seconds, ...shownFacts.seconds].sort(([a], [b]) => a - b);
  for (const [index, [leaf, ms]] of seconds.entries()) {
    const [leafBefore, msBefore] = seconds[index - 1] ?? [-1, -1];
    if (leaf === leafBefore ? ms !== msBefore : ms <= msBefore)
      return { difference: "seconds_not_ascending", subject: `leaf ${leaf}` };
  }
  return null;
}

/** Merges all facts of both. */
export const mergeFacts = (knownFacts: ShownFacts, shownFacts: ShownFacts): ShownFacts => ({
  facts: new Map([...knownFacts.facts, ...shownFacts.facts]),
  commitments: [...knownFacts.commitments, ...shownFacts.commitments],
  seconds: new Map([...knownFacts.seconds, ...shownFacts.seconds]),
});

/** Limits of the stored facts: the newest facts, commitments and seconds are kept. */
const storedMax = { facts: 2_000, commitments: 500, seconds: 500 };
/**
 * The most states of one account that are stored from one receipt, besides the first and the last.
 */
const statesMax = 64;

/**
 * The facts to store after comparing a receipt: only some states of a long chain, and the first and
 * last of a run of seconds. Beyond the limits the oldest go first.
 */
export function mergeWithinLimits(knownFacts: ShownFacts, shownFacts: ShownFacts): ShownFacts {
  const facts = new Map(knownFacts.facts);
  const stateCounts = countStates(shownFacts);
  for (const [subject, value] of shownFacts.facts) {
    if (!isStored(subject, shownFacts, stateCounts)) continue;
    facts.delete(subject);
    facts.set(subject, value);
  }
  const isNew = (item: ShownFacts["commitments"][number]) =>
    !knownFacts.commitments.some(
      ({ account, leaf }) => account === item.account && leaf === item.leaf,
    );
  const commitments = [...knownFacts.commitments, ...shownFacts.commitments.filter(isNew)];
  const seconds = [...new Map([...knownFacts.seconds, ...endsOfRuns(shownFacts.seconds)])];
  return {
    facts: new Map([...facts].slice(-storedMax.facts)),
    commitments: commitments.slice(-storedMax.commitments),
    seconds: new Map(seconds.sort(([a], [b]) => a - b).slice(-storedMax.seconds)),
  };
}

function countStates({ facts }: ShownFacts): Map<string, number> {
  const counts = new Map<string, number>();
  for (const subject of facts.keys()) {
    const [name, account = ""] = subject.split(" ");
    if (name === "state") counts.set(account, (counts.get(account) ?? 0) + 1);
  }
  return counts;
}

function isStored(
  subject: string,
  { facts }: ShownFacts,
  stateCounts: ReadonlyMap<string, number>,
): boolean {
  const [name, account = "", last] = subject.split(" ");
  if (name !== "state") return true;
  const position = Number(last);
  const isEnd = [position - 1, position + 1].some(
    (neighbour) => !facts.has(stateSubject(account, neighbour)),
  );
  return isEnd || position % Math.ceil((stateCounts.get(account) ?? 1) / statesMax) === 0;
}

function endsOfRuns(seconds: ReadonlyMap<number, number>): [number, number][] {
  return [...seconds].filter(([leaf]) => !seconds.has(leaf - 1) || !seconds.has(leaf + 1));
}

/** The stored form, as JSON. */
export function toStored({ facts, commitments, seconds }: ShownFacts) {
  return { facts: [...facts], commitments, seconds: [...seconds] };
}

/** Reads stored facts; null for anything that this program cannot have stored. */
export function parseStoredFacts(value: unknown): ShownFacts | null {
  if (!isObject(value)) return null;
  const { facts, commitments, seconds } = value;
  const isPair = (value: unknown): value is unknown[] => Array.isArray(value) && value.length === 2;
  const isFact = (value: unknown): value is [string, string] =>
    isPair(value) && typeof value[0] === "string" && isHash(value[1]);
  const isSecond = (value: unknown): value is [number, number] =>
    isPair(value) && value.every(isCount);
  const isCommitment = (value: unknown): value is ShownFacts["commitments"][number] =>
    isObject(value) &&
    typeof value.account === "string" &&
    [value.leaf, value.position].every(isCount);
  const parseList = <Item>(list: unknown, fits: (item: unknown) => item is Item): Item[] | null =>
    Array.isArray(list) && list.every(fits) ? list : null;
  const [knownFacts, readCommitments, readSeconds] = [
    parseList(facts, isFact),
    parseList(commitments, isCommitment),
    parseList(seconds, isSecond),
  ];
  if (!knownFacts || !readCommitments || !readSeconds) return null;
  return {
    facts: new Map(knownFacts),
    commitments: readCommitments,
    seconds: new Map(readSeconds),
  };
}
