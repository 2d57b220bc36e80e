import { chainGenesis, chainStep, computeAccountStart, partsHash } from "#core/ledger/chain.ts";
import { coinCodes } from "#core/money/coins.ts";
import { checkOrders } from "#core/records/journalOrders.ts";
import { checkArithmetic } from "#core/records/journalReceiptRules.ts";
import {
  type JournalReceipt,
  parseJournalReceipt,
  type ReceiptAccount,
} from "#core/records/journalReceiptSchema.ts";
import {
  type ExchangeEvidence,
  type JournalMismatch,
  type JournalState,
  type JournalStep,
  type JournalStepName,
  type JournalStepResult,
  journalSteps,
} from "#core/records/journalReceiptStep.ts";
import type { VerifyRound } from "#core/transparency-log/beacon.ts";
import { bytesToHex, equalBytes, hexToBytes } from "#core/transparency-log/bytes.ts";
import type { VerifyEd25519 } from "#core/transparency-log/checkpoint.ts";
import { readLeafKind, worldTag } from "#core/transparency-log/leaf.ts";
import { decodeLiabilities, type LiabilitiesLeaf } from "#core/transparency-log/liabilitiesLeaf.ts";
import { computeSumRoot, createAccountNode } from "#core/transparency-log/liabilitiesTree.ts";
import { listIndexes } from "#core/transparency-log/provenLeaves.ts";
import type { WorldLeaf } from "#core/transparency-log/worldLeaf.ts";

export interface JournalCheck {
  ok: boolean;
  steps: JournalStep[];
  /** The costs of an exchange whose receipt agrees. */
  exchange: ExchangeEvidence | null;
}

/**
 * Recomputes a journal's receipt from raw leaves by index (the caller has proven them to be in the
 * log) and the `world` leaf. Stops at the first step that differs. `verify` and `verifyRound` as
 * for the receipt of a contract.
 */
export function checkJournal(
  value: unknown,
  world: WorldLeaf,
  leaves: ReadonlyMap<number, Uint8Array>,
  verify: VerifyEd25519 | null = null,
  verifyRound: VerifyRound | null = null,
): JournalCheck {
  const receipt = parseJournalReceipt(value);
  if (!receipt) {
    const malformed = { difference: "receipt_malformed", inputs: {} } as const;
    return { ok: false, steps: [{ step: "marks", ok: false, ...malformed }], exchange: null };
  }
  const state: JournalState = {
    receipt,
    world,
    leaves,
    verify,
    verifyRound,
    starts: [],
    heads: [],
    exchange: null,
  };
  const steps: JournalStep[] = [];
  for (const step of journalSteps) {
    const result = run[step](state);
    steps.push({ step, ok: result.difference === null, ...result });
    if (result.difference !== null) break;
  }
  const ok = steps.length === journalSteps.length && steps.every((step) => step.ok);
  return { ok, steps, exchange: ok ? state.exchange : null };
}

const run: Record<JournalStepName, (state: JournalState) => JournalStepResult> = {
  marks: checkLabels,
  legs: checkLegs,
  chain: checkChain,
  running: checkBalances,
  committed: checkCommitment,
  arithmetic: checkArithmetic,
  orders: checkOrders,
};

function checkLabels({ receipt, world }: JournalState): JournalStepResult {
  const { kind, speed } = world.market;
  const inputs = { world: world.world, market: kind, speed };
  if (receipt.practice !== true || receipt.backing !== "none")
    return { inputs, difference: "not_practice" };
  if (receipt.world !== world.world) return { inputs, difference: "world_differs" };
  const isSameMarket = receipt.market.kind === kind && receipt.market.speed === speed;
  return { inputs, difference: isSameMarket ? null : "market_differs" };
}

/**
 * Checks that all postings of the journal (the person's, the house's and others') sum to zero in
 * each coin.
 */
function checkLegs({ receipt }: JournalState): JournalStepResult {
  const coinOf = new Map(receipt.accounts.map(({ account, coin }) => [account, coin]));
  const inputs: JournalStep["inputs"] = {
    journal_id: receipt.journal.id,
    kind: receipt.journal.kind,
  };
  for (const coin of coinCodes) {
    const receiptLegs = receipt.legs.filter(({ account }) => coinOf.get(account) === coin);
    const rest = [...receipt.house, ...receipt.others].filter((leg) => leg.coin === coin);
    const sum = [...receiptLegs, ...rest].reduce((total, { amount }) => total + BigInt(amount), 0n);
    if (receiptLegs.length + rest.length > 0) inputs[`${coin}_sum`] = sum.toString();
    if (sum !== 0n) return { inputs, difference: "legs_not_zero" };
  }
  const areCoinsKnown = receipt.legs.every(({ account }) => coinOf.has(account));
  return { inputs, difference: areCoinsKnown ? null : "leg_not_in_chain" };
}

/**
 * Recomputes each account's chain from before the journal; the journal's own postings are its first
 * entries.
 */
function checkChain(state: JournalState): JournalStepResult {
  const { receipt, world } = state;
  const genesis = chainGenesis(world.world);
  const parts = toParts(receipt);
  const inputs: JournalStep["inputs"] = { parts };
  for (const account of receipt.accounts) {
    const start = getStart(account, genesis);
    state.starts.push(start);
    const difference = startMismatch(account, start) ?? postingsMismatch(receipt, account, parts);
    if (difference) return { inputs: { account: account.account }, difference };
    const head = computeChainHeads(account).at(-1)!;
    state.heads.push(head);
    inputs[`account_${account.account}_entries`] = account.entries.length;
    inputs[`account_${account.account}_head`] = bytesToHex(head);
  }
  return { inputs, difference: null };
}

/** The head of the account's chain after each of its entries. */
export function computeChainHeads(receiptAccount: ReceiptAccount): Uint8Array[] {
  let hash: Uint8Array = hexToBytes(receiptAccount.hash_before);
  return receiptAccount.entries.map((entry, index) => {
    hash = chainStep(hash, {
      account: BigInt(receiptAccount.account),
      position: BigInt(receiptAccount.position_before + index + 1),
      journalId: entry.journal_id,
      leg: entry.leg,
      amount: BigInt(entry.amount),
      atMs: BigInt(entry.at_ms),
      bodyHash: hexToBytes(entry.body_hash),
      parts: hexToBytes(entry.parts),
      kind: entry.kind,
    });
    return hash;
  });
}

function getStart(receiptAccount: ReceiptAccount, genesis: Uint8Array): Uint8Array {
  const {
    account,
    owner,
    attempt_id: attemptId,
    kind,
    coin,
    mark: ownerCommitment,
  } = receiptAccount;
  return computeAccountStart(genesis, {
    id: BigInt(account),
    owner,
    attemptId,
    kind,
    coin,
    ownerCommitment,
  });
}

/** Checks that the chain of an account without earlier entries begins there. */
function startMismatch(receiptAccount: ReceiptAccount, start: Uint8Array): JournalMismatch | null {
  if (receiptAccount.position_before > 0) return null;
  const startsAtGenesis =
    bytesToHex(start) === receiptAccount.hash_before && receiptAccount.balance_before === "0";
  return startsAtGenesis ? null : "chain_start_differs";
}

/** The journal's legs as the receipt states them: the house's by kind, all people's together. */
function toParts({ legs, house, others, accounts }: JournalReceipt): string {
  const coinOf = new Map(accounts.map(({ account, coin }) => [account, coin]));
  const people = [
    ...legs.map(({ account, amount }) => ({ coin: coinOf.get(account)!, amount })),
    ...others,
  ];
  const parts = [
    ...house.map(({ kind, coin, amount }) => ({ name: kind, coin, amount: BigInt(amount) })),
    ...people.map(({ coin, amount }) => ({ name: "people", coin, amount: BigInt(amount) })),
  ];
  return bytesToHex(partsHash(parts));
}

/** Checks that exactly the stated postings of the journal on this account are in the chain. */
function postingsMismatch(
  { journal, legs }: JournalReceipt,
  { account, entries, position_before: before }: ReceiptAccount,
  parts: string,
): JournalMismatch | null {
  const receiptLegs = legs.filter((leg) => leg.account === account);
  const journalEntries = entries.filter((entry) => entry.journal_id === journal.id);
  if (
    receiptLegs.length === 0 ||
    journalEntries.length !== receiptLegs.length ||
    entries[0]?.journal_id !== journal.id
  )
    return "leg_not_in_chain";
  for (const { leg, amount, position } of receiptLegs) {
    const entry = entries[position - before - 1];
    if (!entry || entry.journal_id !== journal.id || entry.leg !== leg || entry.amount !== amount)
      return "leg_not_in_chain";
  }
  const entriesAgree = journalEntries.every(
    ({ at_ms: atMs, body_hash: body, kind }) =>
      atMs === journal.at_ms && body === journal.body_hash && kind === journal.kind,
  );
  if (!entriesAgree) return "journal_not_in_chain";
  return journalEntries.every((entry) => entry.parts === parts) ? null : "parts_differ";
}

/** Checks that each balance is the previous one plus the amount, and never negative. */
function checkBalances({ receipt }: JournalState): JournalStepResult {
  const inputs: JournalStep["inputs"] = {};
  for (const account of receipt.accounts) {
    let balance = BigInt(account.balance_before);
    for (const [index, entry] of account.entries.entries()) {
      balance += BigInt(entry.amount);
      if (balance < 0n)
        return { inputs: { account: account.account }, difference: "balance_negative" };
      const position = account.position_before + index + 1;
      const receiptLeg = receipt.legs.find(
        (leg) => leg.account === account.account && leg.position === position,
      );
      if (receiptLeg && BigInt(receiptLeg.balance) !== balance) {
        const running = {
          account: account.account,
          stated: receiptLeg.balance,
          found: balance.toString(),
        };
        return { inputs: running, difference: "running_differs" };
      }
    }
    inputs[`account_${account.account}`] = `${balance} ${account.coin}`;
  }
  return { inputs, difference: null };
}

function getBalance({ balance_before: before, entries }: ReceiptAccount): bigint {
  return entries.reduce((sum, { amount }) => sum + BigInt(amount), BigInt(before));
}

/**
 * Checks that each account, with the head and balance its entries give, is under the leaf's root
 * and in its totals.
 */
function checkCommitment(state: JournalState): JournalStepResult {
  const { receipt, world, leaves, heads } = state;
  const leafIndex = receipt.liabilities_leaf;
  const bytes = leaves.get(leafIndex);
  if (!bytes) return { inputs: { leaf: leafIndex }, difference: "leaf_missing" };
  const liabilities = decodeLiabilities(bytes, worldTag(world.world));
  if (!liabilities.ok) return { inputs: { leaf: leafIndex }, difference: "liabilities_unreadable" };
  const leaf = liabilities.value;
  for (const [index, receiptAccount] of receipt.accounts.entries()) {
    const chainEnds = { start: state.starts[index]!, hash: heads[index]! };
    const difference = commitmentMismatch(receiptAccount, chainEnds, leaf);
    if (difference)
      return { inputs: { leaf: leafIndex, account: receiptAccount.account }, difference };
  }
  const beforeDifference = beforeMismatch(state, leaf);
  if (beforeDifference)
    return { inputs: { leaf: leafIndex, before: leaf.before }, difference: beforeDifference };
  const totals = coinCodes.map((coin, index) => [`users_${coin}`, String(leaf.users[index])]);
  return {
    inputs: {
      leaf: leafIndex,
      batch: leaf.batch,
      accounts: leaf.accounts,
      root: bytesToHex(leaf.root),
      ...Object.fromEntries(totals),
    },
    difference: null,
  };
}

/**
 * No account may vanish from one commitment to the next, so their number never falls, and each names
 * the last one before it.
 */
function beforeMismatch(
  { receipt, world, leaves }: JournalState,
  leaf: LiabilitiesLeaf,
): JournalMismatch | null {
  const { before } = leaf;
  if (before === null) return null;
  if (before >= receipt.liabilities_leaf) return "accounts_fell";
  const bytes = leaves.get(before);
  if (!bytes) return "leaf_missing";
  const previousLeaf = decodeLiabilities(bytes, worldTag(world.world));
  if (!previousLeaf.ok) return "liabilities_unreadable";
  const { accounts, batch, atMs } = previousLeaf.value;
  const follows = accounts <= leaf.accounts && batch < leaf.batch && atMs <= leaf.atMs;
  if (!follows) return "accounts_fell";
  for (const index of listIndexes(before + 1, receipt.liabilities_leaf - 1)) {
    const between = leaves.get(index);
    if (!between) return "leaf_missing";
    if (readLeafKind(between) === "liabilities") return "accounts_fell";
  }
  return null;
}

/** Figures beyond the tree's range have no root. */
function commitmentMismatch(
  receiptAccount: ReceiptAccount,
  chainEnds: { start: Uint8Array; hash: Uint8Array },
  leaf: LiabilitiesLeaf,
): JournalMismatch | null {
  try {
    return rootMismatch(receiptAccount, chainEnds, leaf);
  } catch (error) {
    if (error instanceof RangeError) return "account_not_committed";
    throw error;
  }
}

function rootMismatch(
  receiptAccount: ReceiptAccount,
  chainEnds: { start: Uint8Array; hash: Uint8Array },
  leaf: LiabilitiesLeaf,
): JournalMismatch | null {
  const node = createAccountNode({
    account: BigInt(receiptAccount.account),
    coin: receiptAccount.coin,
    position: BigInt(receiptAccount.position_before + receiptAccount.entries.length),
    balance: getBalance(receiptAccount),
    ...chainEnds,
  });
  const path = receiptAccount.path.map((step) => ({
    hash: hexToBytes(step.hash),
    sums: step.sums.map(BigInt),
  }));
  const root = computeSumRoot(node, receiptAccount.place, leaf.accounts, path);
  if (!root || !equalBytes(root.hash, leaf.root)) return "account_not_committed";
  return root.sums.every((sum, index) => sum === leaf.users[index]) ? null : "total_differs";
}
