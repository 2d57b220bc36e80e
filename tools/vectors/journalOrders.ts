import type { OrderBody } from "#core/contracts/order.ts";
import type { ContractReceipt } from "#core/contracts/receiptForm.ts";
import {
  accountStart,
  type ChainEntry,
  chainGenesis,
  chainStep,
  partsHash,
} from "#core/ledger/chain.ts";
import { checkJournal } from "#core/records/journalReceipt.ts";
import type { JournalReceipt } from "#core/records/journalReceiptForm.ts";
import { bytesToHex } from "#core/transparency-log/bytes.ts";
import { encodeVkey } from "#core/transparency-log/checkpoint.ts";
import { encodeLiabilities } from "#core/transparency-log/liabilitiesLeaf.ts";
import { accountNode } from "#core/transparency-log/liabilitiesTree.ts";
import { entries, held, orders, receiptOf, startMs, world } from "./contractLog.ts";
import { vectorKey, vectorOrigin } from "./log.ts";

/**
 * Receipts of the journals that took and paid money for the orders of the contracts' vectors: one
 * account, committed by one leaf behind their log.
 */
interface Posted {
  id: string;
  kind: string;
  atMs: number;
  amounts: bigint[];
  house: string;
  orders: object[];
}

const account = { id: 31n, owner: "person-1", kind: "wallet", coin: "pUSDT" as const, mark: "" };
const receipts = orders.map(receiptOf);
const settledMs = startMs + 300_000;
const settleId = "018d0000-0000-8000-8000-0000000000aa";

const start: Posted = {
  id: "018d0000-0000-8000-8000-0000000000ff",
  kind: "attempt.start",
  atMs: startMs,
  amounts: [10_000_000_000n],
  house: "issuance",
  orders: [],
};

function opened(order: OrderBody, change: Partial<Posted> = {}): Posted {
  const at = [...orders, held].findIndex((one) => one.order === order);
  const { order: structure, ...rest } = [...receipts, receiptOf(held)][at]!;
  const { orders_count, orders_index, orders_path, before_leaf, bound_leaf } = rest;
  const binding = { orders_count, orders_index, orders_path, before_leaf, bound_leaf };
  return {
    id: order.orderId,
    kind: "contract.open",
    atMs: order.acceptedAtMs,
    amounts: [-order.stake - order.fee],
    house: "contracts",
    orders: [{ order: structure, ...binding }],
    ...change,
  };
}

function settled(paid: readonly ContractReceipt[], change: Partial<Posted> = {}): Posted {
  return {
    id: settleId,
    kind: "contract.settle",
    atMs: settledMs,
    amounts: paid.map(({ result }) => BigInt(result.payout)),
    house: "contracts",
    orders: [...paid],
    ...change,
  };
}

const paid = receipts.filter(({ result }) => result.payout !== "0");

/** The account's chain with these journals after the start. */
function chainOf(posted: Posted, attemptId: string) {
  const journals = posted === start ? [start] : [start, posted];
  const origin = accountStart(chainGenesis(world.world), { ...account, attemptId });
  const chain: { entry: ChainEntry; balance: bigint; before: Uint8Array }[] = [];
  let [hash, balance] = [origin, 0n];
  for (const { id, kind, atMs, amounts, house } of journals) {
    const total = amounts.reduce((sum, amount) => sum + amount, 0n);
    const parts = partsHash([
      { name: "people", coin: account.coin, amount: total },
      { name: house, coin: account.coin, amount: -total },
    ]);
    for (const [at, amount] of amounts.entries()) {
      const entry = {
        account: account.id,
        position: BigInt(chain.length + 1),
        journalId: id,
        leg: at + 1,
        amount,
        atMs: BigInt(atMs),
        bodyHash: new Uint8Array(32).fill(0x61),
        parts,
        kind,
      };
      balance += amount;
      chain.push({ entry, balance, before: hash });
      hash = chainStep(hash, entry);
    }
  }
  return { origin, hash, balance, chain };
}

/** The ledger with these journals after the start: its leaf, and the receipt of the last one. */
function ledgerOf(posted: Posted, attemptId = "attempt-1") {
  const { origin, hash, balance, chain } = chainOf(posted, attemptId);
  const position = BigInt(chain.length);
  const node = accountNode({
    account: account.id,
    coin: account.coin,
    position,
    balance,
    start: origin,
    hash,
  });
  const leaf = encodeLiabilities({
    world: world.world,
    before: null,
    atMs: settledMs,
    batch: 1,
    batchHead: new Uint8Array(32).fill(0x90),
    accounts: 1,
    root: node.hash,
    users: node.sums,
    house: node.sums.map((sum) => -sum),
  });
  return { leaf, receipt: journalReceiptOf(posted, attemptId, chain) };
}

/** The receipt of the last journal, from the account's chain. */
function journalReceiptOf(
  posted: Posted,
  attemptId: string,
  chain: ReturnType<typeof chainOf>["chain"],
): JournalReceipt {
  const own = chain.filter(({ entry }) => entry.journalId === posted.id);
  const first = own[0]!;
  const total = posted.amounts.reduce((sum, amount) => sum + amount, 0n);
  return {
    format: "drydock.receipt.journal/1",
    practice: true,
    backing: "none",
    world: world.world,
    market: world.market,
    journal: {
      id: posted.id,
      kind: posted.kind,
      at_ms: posted.atMs,
      body_hash: bytesToHex(first.entry.bodyHash),
    },
    legs: own.map((one) => ({
      leg: one.entry.leg,
      account: String(account.id),
      amount: String(one.entry.amount),
      position: Number(one.entry.position),
      balance: String(one.balance),
    })),
    house: [{ kind: posted.house, coin: account.coin, amount: String(-total) }],
    others: [],
    facts: {},
    orders: posted.orders as Record<string, unknown>[],
    accounts: [
      {
        account: String(account.id),
        owner: account.owner,
        attempt_id: attemptId,
        kind: account.kind,
        coin: account.coin,
        mark: account.mark,
        position_before: Number(first.entry.position) - 1,
        balance_before: String(first.balance - first.entry.amount),
        hash_before: bytesToHex(first.before),
        entries: own.map(({ entry }) => ({
          journal_id: entry.journalId,
          leg: entry.leg,
          amount: String(entry.amount),
          at_ms: Number(entry.atMs),
          body_hash: bytesToHex(entry.bodyHash),
          parts: bytesToHex(entry.parts),
          kind: entry.kind,
        })),
        place: 0,
        path: [],
      },
    ],
    liabilities_leaf: entries.length,
    second_leaf: null,
    log: { origin: vectorOrigin, vkey: encodeVkey(vectorKey) },
  };
}

const { order } = orders[0]!;
const own = opened(order);
const [bound] = own.orders as [{ order: Record<string, unknown>; orders_index: number }];
const [won] = paid as [ContractReceipt];
const lies: Record<string, ReturnType<typeof ledgerOf>> = {
  "9 000 pUSDT taken for no order": ledgerOf({ ...own, amounts: [-9_000_000_000n], orders: [] }),
  "9 000 pUSDT taken for an order of 100": ledgerOf({ ...own, amounts: [-9_000_000_000n] }),
  "taken for an order that says less": ledgerOf({
    ...own,
    orders: [{ ...bound, order: { ...bound.order, stake: "99999999" } }],
  }),
  "an order that states another stake, with as much taken": ledgerOf({
    ...own,
    amounts: own.amounts.map((amount) => amount + 1n),
    orders: [{ ...bound, order: { ...bound.order, stake: "99999999" } }],
  }),
  "taken for an order of another id": ledgerOf({ ...own, id: settleId }),
  "taken for an order accepted at another time": ledgerOf({ ...own, atMs: own.atMs + 1 }),
  "taken from another attempt": ledgerOf(own, "attempt-2"),
  "an order that pressed the other way": ledgerOf({
    ...own,
    orders: [{ ...bound, order: { ...bound.order, direction: "down" } }],
  }),
  "an order at another place": ledgerOf({ ...own, orders: [{ ...bound, orders_index: 1 }] }),
  "taken for an order that was held back": ledgerOf(opened(held.order)),
  "two orders for one price": ledgerOf({ ...own, orders: [bound, bound] }),
  "an order for which nothing was due": ledgerOf({ ...own, kind: "send.move" }),
  "0.0001 pUSDT credited for a payout of more": ledgerOf(settled([won], { amounts: [100n] })),
  "a payout without its receipt": ledgerOf(settled([won], { orders: [] })),
  "a payout to another attempt": ledgerOf(settled([won]), "attempt-2"),
  "one receipt for two payouts": ledgerOf(settled([won, won])),
  "a receipt that claims more, with as much paid": ledgerOf(
    settled([
      {
        ...won,
        result: { ...won.result, payout: String(BigInt(won.result.payout) + 1n) },
      },
    ]),
  ),
  "the receipts of two payouts, swapped": ledgerOf(
    settled(paid.slice(0, 2), { orders: paid.slice(0, 2).toReversed() }),
  ),
};

/** Each with the leaf to append to the log of the contracts' vectors. */
export function journalOrderVectors() {
  const check = ({ leaf, receipt }: ReturnType<typeof ledgerOf>) =>
    checkJournal(receipt, world, new Map([...entries, leaf].entries())).steps.find(({ ok }) => !ok);
  const honest = [own, opened(orders[2]!.order), settled(paid), settled([won])].map((one) =>
    ledgerOf(one),
  );
  for (const one of honest) {
    const failed = check(one);
    if (failed) throw new Error(`${one.receipt.journal.kind} differs: ${failed.difference}`);
  }
  return {
    receipts: honest.map(({ leaf, receipt }) => ({ append: bytesToHex(leaf), receipt })),
    altered: Object.entries(lies).map(([name, one]) => {
      const failed = check(one);
      if (!failed) throw new Error(`the altered receipt passes: ${name}`);
      const { step, difference } = failed;
      return { name, append: bytesToHex(one.leaf), receipt: one.receipt, step, difference };
    }),
  };
}
