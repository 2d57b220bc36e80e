import type { LeaseReceipt } from "#core/mining/receiptSchema.ts";
import type { WorldLeaf } from "#core/transparency-log/worldLeaf.ts";
import {
  createJournalVectors,
  type LedgerAccount,
  type LedgerLog,
  createLedger as ledgerIn,
  type PostedJournal,
} from "./ledger.ts";

const dollars: LedgerAccount = { id: 31n, coin: "pUSDT", attemptId: "attempt-1" };
const bitcoins: LedgerAccount = { id: 32n, coin: "pBTC", attemptId: "attempt-1" };
const payoutId = "018d0000-0000-8000-8000-0000000000bb";

/** Receipts of the journals that took and paid money for the leases of the vectors. */
export function createLeaseJournals(
  world: WorldLeaf,
  entries: readonly Uint8Array[],
  receipts: readonly LeaseReceipt[],
) {
  const log: LedgerLog = { world, entries };
  const createLedger = (journal: PostedJournal, change: Partial<PostedJournal> = {}) =>
    ledgerIn(log, { ...journal, ...change });
  const [fullLease, oneDay, , endedLease] = receipts as [
    LeaseReceipt,
    LeaseReceipt,
    LeaseReceipt,
    LeaseReceipt,
  ];
  const { orders_count, orders_index, orders_path, before_leaf, bound_leaf, lease } = fullLease;
  const binding = { orders_count, orders_index, orders_path, before_leaf, bound_leaf };
  const boundLease = { order: lease, ...binding };
  const cost = BigInt(lease.price) + BigInt(lease.power);
  const leaseJournal: PostedJournal = {
    id: lease.lease_id,
    kind: "mining.lease",
    atMs: lease.accepted_at_ms,
    legs: [[dollars, -cost]],
    house: "mining",
    orders: [boundLease],
  };
  const satoshi = BigInt(oneDay.payouts[0]!.amount);
  const payoutJournal: PostedJournal = {
    id: payoutId,
    kind: "mining.payout",
    atMs: lease.accepted_at_ms + 6 * 86_400_000,
    legs: [[bitcoins, satoshi]],
    house: "mining",
    orders: [oneDay],
  };
  const { ending } = endedLease.ended!;
  const [price, power] = [BigInt(ending.price), BigInt(ending.power)];
  const refund: PostedJournal = {
    id: payoutId,
    kind: "mining.refund",
    atMs: ending.accepted_at_ms,
    legs: [
      [dollars, price],
      [dollars, power],
    ],
    house: "mining",
    orders: [endedLease],
  };
  const stranger: LedgerAccount = { ...dollars, id: 33n, attemptId: "attempt-2" };
  const increasedPayout = { ...oneDay.payouts[0]!, amount: String(satoshi + 1n) };
  const alterLease = (change: object) => [{ ...boundLease, order: { ...lease, ...change } }];
  return createJournalVectors(
    [createLedger(leaseJournal), createLedger(payoutJournal), createLedger(refund)],
    {
      "taken for no lease": createLedger(leaseJournal, { orders: [] }),
      "less taken than the lease costs": createLedger(leaseJournal, {
        legs: [[dollars, 1n - cost]],
      }),
      "taken for a lease of another id": createLedger(leaseJournal, { id: payoutId }),
      "taken for a lease accepted at another time": createLedger(leaseJournal, {
        atMs: leaseJournal.atMs + 1,
      }),
      "taken from another attempt": createLedger(leaseJournal, { legs: [[stranger, -cost]] }),
      "taken for fewer machines than were leased": createLedger(leaseJournal, {
        orders: alterLease({ quantity: 1 }),
      }),
      "a lease that costs a text": createLedger(leaseJournal, {
        orders: alterLease({ price: "much" }),
      }),
      "a lease bound a leaf later": createLedger(leaseJournal, {
        orders: [{ ...boundLease, bound_leaf: bound_leaf + 1 }],
      }),
      "a payout in pUSDT": createLedger(payoutJournal, { legs: [[dollars, satoshi]] }),
      "a satoshi more paid": createLedger(payoutJournal, { legs: [[bitcoins, satoshi + 1n]] }),
      "a receipt that claims a satoshi more, with as much paid": createLedger(payoutJournal, {
        legs: [[bitcoins, satoshi + 1n]],
        orders: [{ ...oneDay, payouts: [increasedPayout] }],
      }),
      "a day paid twice": createLedger(payoutJournal, {
        legs: [
          [bitcoins, satoshi],
          [bitcoins, satoshi],
        ],
        orders: [oneDay, oneDay],
      }),
      "a payout of all days at once": createLedger(payoutJournal, { orders: [fullLease] }),
      "a payout without its receipt": createLedger(payoutJournal, { orders: [] }),
      "a payout to what is held for a withdrawal": createLedger(payoutJournal, {
        legs: [[{ ...bitcoins, kind: "held" }, satoshi]],
      }),
      "a refund of the power alone": createLedger(refund, { legs: [[dollars, power]] }),
      "a refund of which the power goes to another attempt": createLedger(refund, {
        legs: [
          [dollars, price],
          [stranger, power],
        ],
      }),
      "a refund of which the power comes back in another coin": createLedger(refund, {
        legs: [
          [dollars, price],
          [{ ...dollars, id: 34n, coin: "pUSDC" }, power],
        ],
      }),
      "a refund of a lease that runs on": createLedger(refund, { orders: [fullLease] }),
    },
  );
}
