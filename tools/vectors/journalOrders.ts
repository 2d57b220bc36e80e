import type { OrderBody } from "#core/contracts/order.ts";
import type { ContractReceipt } from "#core/contracts/receiptSchema.ts";
import { createReceipt, entries, heldUpOrder, orders, startMs, world } from "./contractLog.ts";
import {
  createJournalVectors,
  type LedgerAccount,
  type PostedJournal as LedgerJournal,
  createLedger as ledgerIn,
} from "./ledger.ts";

/**
 * Receipts of the journals that took and paid money for the orders of the contracts' vectors: one
 * account, committed by one leaf behind their log.
 */
type OrderJournal = Omit<LedgerJournal, "legs"> & { amounts: bigint[] };

const wallet: LedgerAccount = { id: 31n, coin: "pUSDT", attemptId: "attempt-1" };
const log = { world, entries };
/** The ledger with this journal after the start: its leaf, and the journal's receipt. */
const createLedger = (
  { amounts, ...posted }: OrderJournal,
  change: Partial<LedgerAccount> = {},
) => {
  const account = { ...wallet, ...change };
  return ledgerIn(log, { ...posted, legs: amounts.map((amount) => [account, amount]) });
};
const receipts = orders.map(createReceipt);
const settledMs = startMs + 300_000;
const settleId = "018d0000-0000-8000-8000-0000000000aa";

function createOpening(order: OrderBody, change: Partial<OrderJournal> = {}): OrderJournal {
  const index = [...orders, heldUpOrder].findIndex((item) => item.order === order);
  const { order: structure, ...rest } = [...receipts, createReceipt(heldUpOrder)][index]!;
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

function createSettlement(
  paid: readonly ContractReceipt[],
  change: Partial<OrderJournal> = {},
): OrderJournal {
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

const { order } = orders[0]!;
const orderJournal = createOpening(order);
const [boundOrder] = orderJournal.orders as [
  { order: Record<string, unknown>; orders_index: number },
];
const [won] = paid as [ContractReceipt];
const falsified: Record<string, ReturnType<typeof createLedger>> = {
  "9 000 pUSDT taken for no order": createLedger({
    ...orderJournal,
    amounts: [-9_000_000_000n],
    orders: [],
  }),
  "9 000 pUSDT taken for an order of 100": createLedger({
    ...orderJournal,
    amounts: [-9_000_000_000n],
  }),
  "taken for an order that says less": createLedger({
    ...orderJournal,
    orders: [{ ...boundOrder, order: { ...boundOrder.order, stake: "99999999" } }],
  }),
  "an order that states another stake, with as much taken": createLedger({
    ...orderJournal,
    amounts: orderJournal.amounts.map((amount) => amount + 1n),
    orders: [{ ...boundOrder, order: { ...boundOrder.order, stake: "99999999" } }],
  }),
  "taken for an order of another id": createLedger({ ...orderJournal, id: settleId }),
  "taken for an order accepted at another time": createLedger({
    ...orderJournal,
    atMs: orderJournal.atMs + 1,
  }),
  "taken from another attempt": createLedger(orderJournal, { attemptId: "attempt-2" }),
  "an order that pressed the other way": createLedger({
    ...orderJournal,
    orders: [{ ...boundOrder, order: { ...boundOrder.order, direction: "down" } }],
  }),
  "an order at another place": createLedger({
    ...orderJournal,
    orders: [{ ...boundOrder, orders_index: 1 }],
  }),
  "taken for an order that was held back": createLedger(createOpening(heldUpOrder.order)),
  "two orders for one price": createLedger({ ...orderJournal, orders: [boundOrder, boundOrder] }),
  "an order for which nothing was due": createLedger({ ...orderJournal, kind: "send.move" }),
  "0.0001 pUSDT credited for a payout of more": createLedger(
    createSettlement([won], { amounts: [100n] }),
  ),
  "a payout without its receipt": createLedger(createSettlement([won], { orders: [] })),
  "a payout to another attempt": createLedger(createSettlement([won]), { attemptId: "attempt-2" }),
  "a payout in another coin": createLedger(createSettlement([won]), { id: 32n, coin: "pBTC" }),
  "a payout to what is held for a withdrawal": createLedger(createSettlement([won]), {
    kind: "held",
  }),
  "an order that states its stake as a number": createLedger({
    ...orderJournal,
    amounts: [-BigInt(String(boundOrder.order.fee))],
    orders: [{ ...boundOrder, order: { ...boundOrder.order, stake: 0 } }],
  }),
  "a path of 65 hashes": createLedger({
    ...orderJournal,
    orders: [{ ...boundOrder, orders_path: Array.from({ length: 65 }, () => "0".repeat(64)) }],
  }),
  "one receipt for two payouts": createLedger(createSettlement([won, won])),
  "a receipt that claims more, with as much paid": createLedger(
    createSettlement([
      {
        ...won,
        result: { ...won.result, payout: String(BigInt(won.result.payout) + 1n) },
      },
    ]),
  ),
  "the receipts of two payouts, swapped": createLedger(
    createSettlement(paid.slice(0, 2), { orders: paid.slice(0, 2).toReversed() }),
  ),
};

export function createJournalOrderVectors() {
  const honest = [
    orderJournal,
    createOpening(orders[2]!.order),
    createSettlement(paid),
    createSettlement([won]),
  ];
  return createJournalVectors(
    honest.map((item) => createLedger(item)),
    falsified,
  );
}
