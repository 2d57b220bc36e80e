import { isUuid } from "#core/ledger/uuid.ts";
import { type Coin, coinCodes, isCoin } from "#core/money/coins.ts";
import { isWellFormed } from "#core/transparency-log/canonical.ts";
import { decodeLiabilities } from "#core/transparency-log/liabilitiesLeaf.ts";
import { listIndexes } from "#core/transparency-log/provenLeaves.ts";
import {
  exactly,
  isCount,
  isHash,
  isInteger,
  isObject,
  isSigned,
  orNull,
  type Test,
} from "#core/transparency-log/schema.ts";

export const journalReceiptFormat = "drydock.receipt.journal/1";

/** A posting on one of the person's own accounts. */
interface ReceiptLeg {
  leg: number;
  /** Account id, decimal. */
  account: string;
  amount: string;
  position: number;
  /** The account's balance after it. */
  balance: string;
}

/**
 * An entry of an account's chain (docs/rules/ledger.md, "The chain"); account and position follow
 * from its index.
 */
interface ReceiptEntry {
  journal_id: string;
  leg: number;
  amount: string;
  at_ms: number;
  body_hash: string;
  /** Hash of the journal's parts (core/ledger/chain.ts). */
  parts: string;
  kind: string;
}

/**
 * One of the person's accounts, from before the journal up to the state a `liabilities` leaf
 * commits to.
 */
export interface ReceiptAccount {
  account: string;
  owner: string;
  attempt_id: string;
  kind: string;
  coin: Coin;
  /** Ties the account to its owner's wallet; empty for an account without one. */
  mark: string;
  position_before: number;
  balance_before: string;
  hash_before: string;
  entries: ReceiptEntry[];
  /** The account's index in the tree, and the nodes leading to the root, nearest first. */
  place: number;
  path: { hash: string; sums: string[] }[];
}

/** A journal receipt (docs/formats/journal.md). Amounts are decimal strings of minor units. */
export interface JournalReceipt {
  format: typeof journalReceiptFormat;
  practice: true;
  backing: "none";
  world: string;
  market: { kind: string; speed: number };
  journal: { id: string; kind: string; at_ms: number; body_hash: string };
  legs: ReceiptLeg[];
  /** The journal's postings on house accounts; and the sums of those on other people's. */
  house: { kind: string; coin: Coin; amount: string }[];
  others: { coin: Coin; amount: string }[];
  /** For an exchange: rate and index of each step. Empty for every other kind. */
  facts: Record<string, string>;
  /** The order that the journal took money for, or the receipts of those it pays. */
  orders: Record<string, unknown>[];
  accounts: ReceiptAccount[];
  liabilities_leaf: number;
  /** The `second` leaf with the prices the facts name; null without one. */
  second_leaf: number | null;
  log: { origin: string; vkey: string };
}

/**
 * The most entries of all accounts in one receipt: far more than a person's rate limit allows
 * between two leaves.
 */
const entriesMax = 50_000;

/** Far more than one person's rate limit allows in one second. */
const ordersMax = 2_000;

const count = isCount;
const text: Test = (value) => typeof value === "string" && value.length <= 200;
const isSignedInteger = isSigned(19);
const minor = isInteger(19);
const hash = isHash;
const uuid: Test = (value) => typeof value === "string" && isUuid(value);
const coin: Test = (value) => typeof value === "string" && isCoin(value);
const listOf =
  (test: Test, max: number): Test =>
  (value) =>
    Array.isArray(value) && value.length <= max && value.every(test);
const price = isInteger(19);
const oneStep = exactly({ rate: price, index: price });
const twoSteps = exactly({ rate: price, index: price, rate_2: price, index_2: price });
const noFields = exactly({});

const entry = exactly({
  journal_id: uuid,
  leg: count,
  amount: isSignedInteger,
  at_ms: count,
  body_hash: hash,
  parts: hash,
  kind: text,
});
const sumOfEachCoin: Test = (value) =>
  Array.isArray(value) && value.length === coinCodes.length && value.every(minor);
const account = exactly({
  account: minor,
  owner: text,
  attempt_id: text,
  kind: (value) => value === "wallet" || value === "held",
  coin,
  mark: (value) => value === "" || hash(value),
  position_before: count,
  balance_before: minor,
  hash_before: hash,
  entries: (value) => listOf(entry, entriesMax)(value) && (value as unknown[]).length > 0,
  place: count,
  path: listOf(exactly({ hash, sums: sumOfEachCoin }), 64),
});
const receipt = exactly({
  format: (value) => value === journalReceiptFormat,
  practice: () => true,
  backing: () => true,
  world: text,
  market: exactly({ kind: text, speed: count }),
  journal: exactly({ id: uuid, kind: text, at_ms: count, body_hash: hash }),
  legs: (value) =>
    listOf(
      exactly({
        leg: count,
        account: minor,
        amount: isSignedInteger,
        position: count,
        balance: minor,
      }),
      10_000,
    )(value) && (value as unknown[]).length > 0,
  house: listOf(exactly({ kind: text, coin, amount: isSignedInteger }), 100),
  others: listOf(exactly({ coin, amount: isSignedInteger }), 10),
  facts: isObject,
  orders: listOf(isObject, ordersMax),
  accounts: (value) => listOf(account, 16)(value) && (value as unknown[]).length > 0,
  liabilities_leaf: count,
  second_leaf: orNull(count),
  log: exactly({ origin: text, vkey: text }),
});

/** Reads the form of a receipt; null if it has another format. */
export function parseJournalReceipt(value: unknown): JournalReceipt | null {
  if (!receipt(value) || !isWellFormed(value)) return null;
  const journalReceipt = value as JournalReceipt;
  if (!hasOnlyCheckedValues(journalReceipt)) return null;
  const entries = journalReceipt.accounts.reduce((sum, { entries: some }) => sum + some.length, 0);
  return entries <= entriesMax ? journalReceipt : null;
}

/** A receipt contains only values that its check recomputes. */
function hasOnlyCheckedValues({ journal, facts, second_leaf: second }: JournalReceipt): boolean {
  if (journal.kind === "exchange.execute") return oneStep(facts) || twoSteps(facts);
  return noFields(facts) && second === null;
}

/** Indexes of the leaves a check needs, besides `listJournalLeavesBehind`. */
export function listNeededJournalLeaves(journalReceipt: JournalReceipt): number[] {
  return [
    0,
    journalReceipt.liabilities_leaf,
    ...(journalReceipt.second_leaf === null ? [] : [journalReceipt.second_leaf]),
  ];
}

/** The commitment before the one that the receipt names, and all leaves between both. */
export function listJournalLeavesBehind(
  journalReceipt: JournalReceipt,
  leaves: ReadonlyMap<number, Uint8Array>,
): number[] {
  const bytes = leaves.get(journalReceipt.liabilities_leaf);
  const leaf = bytes ? decodeLiabilities(bytes, null) : null;
  const before = leaf?.ok ? leaf.value.before : null;
  return before === null ? [] : listIndexes(before, journalReceipt.liabilities_leaf - 1);
}
