import { hexToBytes } from "#core/transparency-log/bytes.ts";
import type { WorldLeaf } from "#core/transparency-log/worldLeaf.ts";
import {
  createJournalVectors,
  type LedgerAccount,
  type LedgerLog,
  createLedger as ledgerIn,
  type PostedJournal,
} from "./ledger.ts";

interface PoolOrder {
  order: { order_id: string; attempt_id: string; accepted_at_ms: number; amount: string | null };
  orders_count: number;
  orders_index: number;
  orders_path: string[];
  before_leaf: number;
  bound_leaf: number;
  mark_leaf: number | null;
  result: { mark_at_ms: number | null; amount: string; payout: string | null };
}

const payoutId = "018d0000-0000-8000-8000-0000000000cc";

/** Receipts of the journals that took and paid money for the orders of the pools' vectors. */
export function createPoolJournals(
  world: WorldLeaf,
  leaves: readonly string[],
  receipts: readonly Record<string, unknown>[],
  /** The two empty seconds that end a recording's log. */
  ending: readonly Uint8Array[],
) {
  const entries = leaves.map(hexToBytes);
  const createLedger = (
    journal: PostedJournal,
    change: Partial<PostedJournal> = {},
    log: LedgerLog = wholeLog,
  ) => ledgerIn(log, { ...journal, ...change });
  const wholeLog = { world, entries };
  const [first, second, redemption] = receipts as unknown as [PoolOrder, PoolOrder, PoolOrder];
  const createWallet = ({ order }: PoolOrder): LedgerAccount => ({
    id: 31n,
    coin: "pUSDT",
    attemptId: order.attempt_id,
  });
  const { order, orders_count, orders_index, orders_path, before_leaf, bound_leaf } = first;
  const boundOrder = { order, orders_count, orders_index, orders_path, before_leaf, bound_leaf };
  const wallet = createWallet(first);
  const stranger: LedgerAccount = { ...wallet, attemptId: "attempt-9" };
  const amount = BigInt(order.amount!);
  const subscribeJournal: PostedJournal = {
    id: order.order_id,
    kind: "hosting.subscribe",
    atMs: order.accepted_at_ms,
    legs: [[wallet, -amount]],
    house: "hosting",
    orders: [boundOrder],
  };
  const holderWallet = createWallet(redemption);
  const payout = BigInt(redemption.result.payout!);
  const payoutJournal: PostedJournal = {
    id: payoutId,
    kind: "hosting.redeem",
    atMs: redemption.result.mark_at_ms!,
    legs: [[holderWallet, payout]],
    house: "hosting",
    orders: [redemption],
  };
  /** The recording ends right after the second that binds it. */
  const truncatedLog: LedgerLog = {
    world,
    entries: [...entries.slice(0, bound_leaf + 1), ...ending],
    keep: bound_leaf + 1,
  };
  const returnedReceipt = {
    ...first,
    mark_leaf: null,
    result: {
      ...first.result,
      outcome: "returned",
      mark_at_ms: null,
      nav: null,
      units: null,
      fee: null,
      payout: order.amount,
    },
  };
  const returnJournal: PostedJournal = {
    id: payoutId,
    kind: "hosting.return",
    atMs: order.accepted_at_ms + 9 * 86_400_000,
    legs: [[wallet, amount]],
    house: "hosting",
    orders: [returnedReceipt],
  };
  const increasedReceipt = {
    ...redemption,
    result: { ...redemption.result, payout: String(payout + 1n) },
  };
  return createJournalVectors(
    [
      createLedger(subscribeJournal),
      createLedger(payoutJournal),
      createLedger(returnJournal, {}, truncatedLog),
    ],
    {
      "taken for no order": createLedger(subscribeJournal, { orders: [] }),
      "less taken than the order says": createLedger(subscribeJournal, {
        legs: [[wallet, 1n - amount]],
      }),
      "taken for an order of another id": createLedger(subscribeJournal, { id: payoutId }),
      "taken for an order accepted at another time": createLedger(subscribeJournal, {
        atMs: subscribeJournal.atMs + 1,
      }),
      "taken from another attempt": createLedger(subscribeJournal, { legs: [[stranger, -amount]] }),
      "taken from what is held for a withdrawal": createLedger(subscribeJournal, {
        legs: [[{ ...wallet, kind: "held" }, -amount]],
      }),
      "an order that states another amount, with as much taken": createLedger(subscribeJournal, {
        legs: [[wallet, 1n - amount]],
        orders: [{ ...boundOrder, order: { ...order, amount: String(amount - 1n) } }],
      }),
      "an order without an amount": createLedger(subscribeJournal, {
        orders: [{ ...boundOrder, order: { ...order, amount: null } }],
      }),
      "an order at the place of another": createLedger(subscribeJournal, {
        orders: [{ ...boundOrder, orders_index: second.orders_index }],
      }),
      "more paid than the redemption gives": createLedger(payoutJournal, {
        legs: [[holderWallet, payout + 1n]],
      }),
      "a receipt that claims more, with as much paid": createLedger(payoutJournal, {
        legs: [[holderWallet, payout + 1n]],
        orders: [increasedReceipt],
      }),
      "a redemption paid to another attempt": createLedger(payoutJournal, {
        legs: [[stranger, payout]],
      }),
      "a redemption paid in another coin": createLedger(payoutJournal, {
        legs: [[{ ...holderWallet, coin: "pUSDC" }, payout]],
      }),
      "a redemption paid twice": createLedger(payoutJournal, {
        legs: [
          [holderWallet, payout],
          [holderWallet, payout],
        ],
        orders: [redemption, redemption],
      }),
      "a redemption without its receipt": createLedger(payoutJournal, { orders: [] }),
      "a subscription's receipt for a redemption": createLedger(payoutJournal, { orders: [first] }),
      "a subscription given back that was executed": createLedger(returnJournal, {
        orders: [first],
      }),
      "a subscription given back while the log goes on": createLedger(returnJournal),
      "less given back than was subscribed": createLedger(
        returnJournal,
        { legs: [[wallet, amount - 1n]] },
        truncatedLog,
      ),
    },
  );
}
